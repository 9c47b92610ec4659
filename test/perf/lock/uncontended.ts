import type { Connection } from '@/test/perf/lock/client';
import { shuffled } from '@/test/perf/lock/shuffled';
import { startWorker, type WorkerProcess } from '@/test/perf/lock/worker-process';
import { median } from '@/test/perf/statistics';

export const WORKER_COUNTS = [1, 16, 64] as const;

const SLICE_MS = 120;
/** Slices of each client that are not counted: connecting, loading scripts, compiling. */
const WARM_UP_SLICES = 3;

export interface UncontendedFigures {
  /** Acquire–release pairs a second. */
  perSecond: number;
  /** To plain ioredis in the slices beside it. */
  ratio: number;
}

export interface UncontendedCourse {
  /** `plain` among them. */
  clients: readonly string[];
  workers: number;
  quick: boolean;
}

async function runSlice(worker: WorkerProcess): Promise<number> {
  worker.send({ slice: { ms: SLICE_MS } });
  const answer = await worker.next();
  if (!('slice' in answer)) throw new Error('the answer to a slice was expected');
  return answer.slice.perSecond;
}

/** One cycle: each client for one slice, one after the other. Rates by client. */
async function runCycle(workers: [string, WorkerProcess][]): Promise<Map<string, number>> {
  const rates = new Map<string, number>();
  for (const [client, worker] of workers) rates.set(client, await runSlice(worker));
  return rates;
}

function figuresOfCycles(
  cycles: readonly Map<string, number>[],
  client: string,
): UncontendedFigures {
  const rates = cycles.map((rates) => rates.get(client) ?? Number.NaN);
  const ratios = cycles.map((cycle, i) => (rates[i] ?? Number.NaN) / (cycle.get('plain') ?? 0));
  return { perSecond: median(rates), ratio: median(ratios) };
}

/**
 * All clients in fresh processes that take turns in short slices, only one running at a time: what the machine does
 * besides falls on neighbouring slices alike, and so hardly on their ratio.
 */
async function runRound(
  connection: Connection,
  { clients, workers, quick }: UncontendedCourse,
): Promise<Map<string, UncontendedFigures>> {
  const processes = clients.map((client): [string, WorkerProcess] => [
    client,
    startWorker({ kind: 'uncontended', client, connection, workers }),
  ]);
  try {
    for (const [, worker] of processes) await worker.next();
    for (let i = 0; i < WARM_UP_SLICES; i++) await runCycle(processes);
    const cycles: Map<string, number>[] = [];
    for (let i = 0; i < (quick ? 5 : 13); i++) cycles.push(await runCycle(shuffled(processes)));
    return new Map(clients.map((client) => [client, figuresOfCycles(cycles, client)]));
  } finally {
    await Promise.all(processes.map(async ([, worker]) => await worker.stop()));
  }
}

/** Medians of the rounds, by client. */
export async function measureUncontended(
  connection: Connection,
  course: UncontendedCourse,
): Promise<Map<string, UncontendedFigures>> {
  const rounds: Map<string, UncontendedFigures>[] = [];
  for (let i = 0; i < (course.quick ? 3 : 5); i++) rounds.push(await runRound(connection, course));
  const middle = (client: string, figure: keyof UncontendedFigures): number =>
    median(rounds.map((round) => round.get(client)?.[figure] ?? Number.NaN));
  return new Map(
    course.clients.map((client) => [
      client,
      { perSecond: middle(client, 'perSecond'), ratio: middle(client, 'ratio') },
    ]),
  );
}
