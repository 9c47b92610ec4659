import type { Connection } from '@/test/perf/lock/client';
import { monotonicMs } from '@/test/perf/lock/clock';
import type { ContendedResult, Window } from '@/test/perf/lock/job';
import { shuffled } from '@/test/perf/lock/shuffled';
import { summarise, type ContendedFigures } from '@/test/perf/lock/sections';
import { startWorker, type WorkerProcess } from '@/test/perf/lock/worker-process';
import { median } from '@/test/perf/statistics';

const PROCESSES = 4;
const WORKERS_EACH = 4;
const HOLD_MS = 1;
/** How long a wait that is not over with the run is watched. */
const WATCHED_MS = 3000;

async function resultOf(worker: WorkerProcess): Promise<ContendedResult> {
  const message = await worker.next();
  if (!('contended' in message)) throw new Error('an unexpected answer');
  return message.contended;
}

async function runTogether(workers: WorkerProcess[], measureMs: number): Promise<ContendedFigures> {
  await Promise.all(workers.map(async (worker) => await worker.next()));
  const startsAt = monotonicMs() + 500;
  const endsAt = startsAt + measureMs;
  const window: Window = { startsAt, endsAt, givesUpAt: endsAt + WATCHED_MS };
  for (const worker of workers) worker.send({ window });
  const results = await Promise.all(workers.map(resultOf));
  return summarise({
    sections: results.flatMap(({ sections }) => sections),
    unserved: results.flatMap(({ unserved }) => unserved),
    commands: results.reduce((sum, { commands }) => sum + commands, 0),
    workers: PROCESSES * WORKERS_EACH,
    startsAt,
    endsAt,
  });
}

async function contendOnce(
  connection: Connection,
  { client, measureMs }: { client: string; measureMs: number },
): Promise<ContendedFigures> {
  const workers = Array.from({ length: PROCESSES }, (_, i) =>
    startWorker({
      kind: 'contended',
      client,
      connection,
      workers: WORKERS_EACH,
      firstWorker: i * WORKERS_EACH,
      holdMs: HOLD_MS,
    }),
  );
  try {
    return await runTogether(workers, measureMs);
  } finally {
    await Promise.all(workers.map(async (worker) => await worker.stop()));
  }
}

/** The median of each figure; of what must never happen, the sum. */
function combine(rounds: readonly ContendedFigures[]): ContendedFigures {
  const middle = (read: (figures: ContendedFigures) => number): number => median(rounds.map(read));
  const sum = (read: (figures: ContendedFigures) => number): number =>
    rounds.reduce((total, figures) => total + read(figures), 0);
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    maxMs: middle(({ maxMs }) => maxMs),
    holdMs: middle(({ holdMs }) => holdMs),
    handOverMs: middle(({ handOverMs }) => handOverMs),
    p99OverIdeal: middle(({ p99OverIdeal }) => p99OverIdeal),
    maxMin: middle(({ maxMin }) => maxMin),
    commandsPerAcquire: middle(({ commandsPerAcquire }) => commandsPerAcquire),
    overlaps: sum(({ overlaps }) => overlaps),
    fencesOutOfOrder: sum(({ fencesOutOfOrder }) => fencesOutOfOrder),
  };
}

/**
 * 16 workers in 4 processes want one lock and hold it for 1 ms; by client. `forgetLock` is called before each run,
 * so that none finds what another left.
 */
export async function measureContended(
  connection: Connection,
  {
    clients,
    quick,
    forgetLock,
  }: { clients: readonly string[]; quick: boolean; forgetLock: () => Promise<unknown> },
): Promise<Map<string, ContendedFigures>> {
  const results = new Map<string, ContendedFigures[]>(clients.map((client) => [client, []]));
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    for (const client of shuffled(clients)) {
      await forgetLock();
      const figures = await contendOnce(connection, { client, measureMs: quick ? 2000 : 5000 });
      results.get(client)?.push(figures);
    }
  }
  return new Map([...results].map(([client, rounds]) => [client, combine(rounds)]));
}
