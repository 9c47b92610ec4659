import { rmSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Assignment, type Guard, type Work } from './assignment';
import { createRandom } from './random';
import type { Service, ServiceContext } from './service';
import { SERVICES } from './services';

function contextOf(work: Work): ServiceContext {
  const report = (error: unknown): void => {
    console.error(`[${work.name}] ${error instanceof Error ? error.message : String(error)}`);
  };
  return {
    address: work.address,
    random: createRandom(work.seed),
    connect: () => {
      const redis = new Redis({ ...work.address, connectionName: `demo:${work.name}` });
      redis.on('error', report);
      return redis;
    },
    pause: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
    report,
  };
}

function isService(name: string): name is keyof typeof SERVICES {
  return Object.hasOwn(SERVICES, name);
}

async function work(assignment: Work): Promise<void> {
  const context = contextOf(assignment);
  const run = async (service: Service): Promise<void> => {
    try {
      await service(context);
    } catch (error) {
      context.report(error);
    }
  };
  await Promise.all(
    assignment.services.filter(isService).map(async (name) => await run(SERVICES[name])),
  );
}

function cleanUp(guard: Guard): void {
  for (const pid of guard.pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already, which is all that is wanted here.
    }
  }
  rmSync(guard.folder, { recursive: true, force: true });
}

/** Ends with the demo, however it ends: the channel closes then, and nothing of the fleet outlives it. */
function run(): void {
  let onDemoGone = (): void => undefined;
  process.once('disconnect', () => {
    onDemoGone();
    process.exit();
  });
  process.once('SIGTERM', () => process.exit());
  process.once('message', (message) => {
    const assignment = Assignment.parse(message);
    if (assignment.kind === 'guard') onDemoGone = () => cleanUp(assignment);
    else void work(assignment);
  });
}

run();
