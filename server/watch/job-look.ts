import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import { isLostConnection } from '@/server/redis/redis-error';
import type { JobObservation } from './observation';
import type { ProbeLoads } from './probe-load';
import type { JobRef } from './watch-contract';

/** Jobs asked for in one pipeline. */
const BATCH = 100;
/** Entries of a list that Redis compares for one job, the oldest first: a fraction of a millisecond. */
const MOST_ENTRIES = 10_000;

/** A round may take this share of the time between two: lists of thousands are searched once for each job. */
const REST_TIMES = 20;

/** Of one job: its place, the length of the list, the lock. */
const COMMANDS = 3;

const toBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1');

type Answer = [error: Error | null, reply: unknown];

/**
 * Whether the job is in the list: where it stands there (LPOS, Redis 6.0.6), else how long the list is. An entry
 * beyond those compared may be it.
 */
function isInList(place: Answer | undefined, length: Answer | undefined): boolean | null {
  // A key of that name that is no list is another program's, and lists no jobs.
  if (place?.[0]) return place[0].message.startsWith('WRONGTYPE') ? false : null;
  if (place === undefined) return null;
  if (place[1] !== null) return true;
  return typeof length?.[1] === 'number' && length[1] <= MOST_ENTRIES ? false : null;
}

/**
 * Looks for jobs of one db in the lists of those that run, in batches. The lock is asked for last: where it is there,
 * its worker goes on, or the next one has the job, which the lock itself tells. Throws when the connection is lost.
 */
export async function lookForJobs(
  redis: Redis,
  jobs: readonly JobRef[],
  now: () => number,
): Promise<JobObservation[]> {
  const seen: JobObservation[] = [];
  for (let i = 0; i < jobs.length; i += BATCH) {
    const batch = jobs.slice(i, i + BATCH);
    const pipeline = redis.pipeline();
    for (const { key, list, id } of batch) {
      pipeline.call('LPOS', toBuffer(list), toBuffer(id), 'RANK', -1, 'MAXLEN', MOST_ENTRIES);
      pipeline.llen(toBuffer(list));
      pipeline.exists(toBuffer(key));
    }
    const answers = (await pipeline.exec()) ?? [];
    const lost = answers.find(([error]) => isLostConnection(error))?.[0];
    if (lost) throw lost;
    const at = now();
    for (const [n, { db, key }] of batch.entries()) {
      const [place, length, lock] = answers.slice(n * COMMANDS, (n + 1) * COMMANDS);
      if (lock?.[1] === 1) continue;
      seen.push({ kind: 'job', at, db, key, isActive: isInList(place, length) });
    }
  }
  return seen;
}

export interface JobLook {
  /** Looks for those that are asked about now; nothing where the last round was dear and not long ago. */
  run: (connection: (db: number) => Promise<Redis>) => Promise<void>;
}

export function createJobLook(options: {
  loads: Pick<ProbeLoads, 'asked'>;
  jobs: () => readonly JobRef[];
  deliver: (seen: JobObservation[]) => void;
  now: () => number;
  elapsedMs?: () => number;
}): JobLook {
  const { loads, jobs, deliver, now, elapsedMs = () => performance.now() } = options;
  let restUntil = -Infinity;
  return {
    run: async (connection) => {
      const began = elapsedMs();
      if (began < restUntil) return;
      const asked = jobs();
      if (asked.length === 0) return;
      for (const [db, ofDb] of Map.groupBy(asked, (job) => job.db)) {
        deliver(await lookForJobs(await connection(db), ofDb, now));
      }
      const ended = elapsedMs();
      const ms = ended - began;
      restUntil = ended + ms * REST_TIMES;
      loads.asked('jobs', { commands: COMMANDS * asked.length, ms, locks: asked.length });
    },
  };
}
