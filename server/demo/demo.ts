import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { endProcess } from './child-process';
import { startConsole } from './console-process';
import { Fleet } from './fleet';
import { freePort } from './free-port';
import { startRedis } from './redis-process';
import type { Scenario } from './scenarios/scenario';
import type { RedisAddress } from './service';

const CONSOLE_PATIENCE_MS = 6000;
const REDIS_PATIENCE_MS = 2000;
const CONSOLE_PORT = 3000;

export interface Demo {
  /** Resolves when the console or Redis ends by itself, with the exit code of the demo. */
  ended: Promise<number>;
  /** Ends and removes everything that was started. Twice is fine. */
  stop: () => Promise<void>;
}

interface DemoOptions {
  /** The console's; null for a free one. */
  port: number | null;
  /** Whether the console says what it says as JSON. */
  isJson: boolean;
  /** Speaks to the person at the terminal. */
  tell: (sentence: string) => void;
}

/** The processes that lock when all is well; scenarios come on top. */
function startHealthyFleet(fleet: Fleet): void {
  fleet.start('shop-1', ['orders', 'inventory', 'payments', 'refunds']);
  fleet.start('shop-2', ['orders', 'inventory', 'payments', 'refunds']);
  fleet.start('back-office', ['invoices', 'scheduler', 'catalog']);
  fleet.start('warehouse', ['warehouse']);
}

function play(scenario: Scenario, fleet: Fleet, redis: Redis, tell: (text: string) => void): void {
  startHealthyFleet(fleet);
  if (scenario.services.length > 0) fleet.start(scenario.name, scenario.services);
  const pause = async (ms: number): Promise<void> =>
    await new Promise((resolve) => void setTimeout(resolve, ms).unref());
  scenario
    .direct?.({ redis, fleet, pause, tell })
    // Without a connection the demo is ending, which is told elsewhere.
    .catch((error: unknown) => {
      if (redis.status === 'ready') tell(`the scenario ended: ${String(error)}`);
    });
}

const exitOf = async (child: ChildProcess): Promise<number> =>
  await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));

/** Starts Redis, the fleet and the console. */
export async function startDemo(
  scenario: Scenario,
  { port, isJson, tell }: DemoOptions,
): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-demo-'));
  const password = randomBytes(16).toString('hex');
  const address: RedisAddress = { host: '127.0.0.1', port: await freePort(null), password };
  const redisServer = await startRedis(address, folder);
  const redis = new Redis({ ...address, connectionName: 'demo:scenario' });
  redis.on('error', () => undefined);
  const consolePort = port ?? (await freePort(CONSOLE_PORT));
  const console = startConsole(address, { port: consolePort, folder, isJson });
  const fleet = new Fleet(address, tell);
  fleet.guard(
    [redisServer.pid, console.pid].filter((pid) => pid !== undefined),
    folder,
  );
  play(scenario, fleet, redis, tell);
  tell(`scenario ${scenario.name}: ${scenario.summary}`);

  let stopping: Promise<void> | undefined;
  const redisEnded = exitOf(redisServer).then(() => {
    if (stopping) return 0;
    // Whoever worked with it would only say over and over that it is gone.
    fleet.silence();
    tell('the Redis of the demo has ended, and the demo with it');
    return 1;
  });
  const stop = async (): Promise<void> => {
    await Promise.all([endProcess(console, CONSOLE_PATIENCE_MS), fleet.stop()]);
    redis.disconnect();
    await endProcess(redisServer, REDIS_PATIENCE_MS);
    rmSync(folder, { recursive: true, force: true });
  };
  const ended = Promise.race([exitOf(console), redisEnded]);
  return { ended, stop: async () => await (stopping ??= stop()) };
}
