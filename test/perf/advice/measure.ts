import { createLockClient, type LockClient } from '@/lib/lock/index';
import type { Advice } from '@/lib/protocol/measures';
import { ROLLUP_STEP_MS } from '@/server/store/history-contract';
import { startConsole, type TestConsole } from '@/test/support/console';
import { pause } from '@/test/support/pause';
import { startRedis } from '@/test/support/redis-server';
import type { Workload } from './workloads';

const CLIENTS = 4;
const WAIT_MS = 120_000;
/** Reports are read and rows written within that time. */
const SETTLE_MS = 1500;

/** One run, in whole steps of history. */
interface Run {
  from: number;
  to: number;
}

export interface Outcome {
  /** Average number of waiters as `/api/v1/classes` tells it, summed over classes: before and after. */
  before: number;
  after: number;
  /** By how much less was waited for the same arrivals, as measured and as the console foretold. */
  drop: number;
  expectedDrop: number;
  /** Replay of the record as it was, against what the console measured: relative error. */
  replayError: number;
  /** Into how many locks it was split; 1 for two that became one. */
  locks: number;
}

const downTo = (at: number): number => Math.floor(at / ROLLUP_STEP_MS) * ROLLUP_STEP_MS;

/** Plays the visits from the start of the next step on, and waits for the last of them. */
async function play(
  clients: readonly LockClient[],
  workload: Workload,
  { durationMs, advice }: { durationMs: number; advice: Advice | null },
): Promise<Run> {
  const from = downTo(Date.now()) + ROLLUP_STEP_MS;
  const visits = workload.visitsIn(durationMs);
  await Promise.all(
    visits.map(async (visit, index) => {
      await pause(from + visit.atMs - Date.now());
      const client = clients[index % clients.length];
      if (client) await workload.visit(client, visit, advice);
    }),
  );
  await pause(SETTLE_MS);
  return { from, to: downTo(Date.now()) + ROLLUP_STEP_MS };
}

/** Waiter-milliseconds of a run, of all classes. */
async function waitedMs(console: TestConsole, { from, to }: Run): Promise<number> {
  const page = await console.query('classes', { from: `${from}`, to: `${to}` });
  const waiting = page.items.reduce((sum, { contention }) => sum + (contention ?? 0), 0);
  return waiting * (page.to - page.from);
}

/** Null where the console advises something else or nothing, which is said. */
async function advised(console: TestConsole, workload: Workload, run: Run): Promise<Advice | null> {
  const page = await console.query('advice', { from: `${run.from}`, to: `${run.to}` });
  const advice = page.items.find(({ kind }) => kind === workload.kind) ?? null;
  if (!advice) {
    const said = JSON.stringify(page.silent);
    process.stderr.write(`no ${workload.kind} was advised for ${workload.name}: ${said}\n`);
  }
  return advice;
}

/**
 * Runs a workload on a Redis of its own while a console records it, asks that console for advice, follows it, and runs the
 * same arrivals again. Null where nothing of that kind was advised.
 */
export async function measureWorkload(
  workload: Workload,
  durationMs: number,
): Promise<Outcome | null> {
  const redis = await startRedis();
  const console = await startConsole({ redisUrl: redis.url });
  const clients = Array.from({ length: CLIENTS }, () =>
    createLockClient({ redis: redis.client(), allowInsecure: true, waitMs: WAIT_MS }),
  );
  try {
    // Connections and scripts first, so that the first arrivals of the first run do not pay for them.
    await Promise.all(clients.map((client, n) => client.using(`warm-up:${n}`, () => pause(1))));
    const asIs = await play(clients, workload, { durationMs, advice: null });
    const advice = await advised(console, workload, asIs);
    if (!advice) return null;
    const followed = await play(clients, workload, { durationMs, advice });
    const spanMs = asIs.to - asIs.from;
    const [before, after] = [await waitedMs(console, asIs), await waitedMs(console, followed)];
    const replayed = advice.contentionNow * (advice.basis.to - advice.basis.from);
    return {
      before: before / spanMs,
      after: after / spanMs,
      drop: 1 - after / before,
      expectedDrop: advice.drop,
      replayError: Math.abs(replayed / before - 1),
      locks: advice.segments ?? 1,
    };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await console.stop();
    await redis.stop();
  }
}
