import type { Redis } from 'ioredis';
import { DIGESTS, EXPIRING_DIGESTS } from '@/lib/formats/sidekiq-names';
import type { Bytes } from '@/lib/protocol/bytes';
import type { IndexObservation } from './observation';

/** Sorted sets in which sidekiq-unique-jobs lists the digests of its locks. */
const INDEX_KEYS: ReadonlySet<Bytes> = new Set([DIGESTS, EXPIRING_DIGESTS]);
const COUNT_EVERY_MS = 60_000;

/** Counts what libraries list of their locks: a list that outgrows its locks is a leak. */
export interface IndexWatch {
  /** A key was met; nothing where it is no such list. */
  note: (db: number, key: Bytes) => void;
  run: (connection: (db: number) => Promise<Redis>) => Promise<void>;
}

export function createIndexWatch(options: {
  deliver: (seen: IndexObservation[]) => void;
  now: () => number;
}): IndexWatch {
  const known = new Map<string, { db: number; key: Bytes; countedAt: number }>();
  return {
    note: (db, key) => {
      if (!INDEX_KEYS.has(key)) return;
      const id = `${db}:${key}`;
      if (!known.has(id)) known.set(id, { db, key, countedAt: Number.NEGATIVE_INFINITY });
    },
    run: async (connection) => {
      const now = options.now();
      for (const index of known.values()) {
        if (now - index.countedAt < COUNT_EVERY_MS) continue;
        index.countedAt = now;
        const { db, key } = index;
        const members = await (await connection(db)).zcard(key);
        options.deliver([{ kind: 'index', at: options.now(), db, key, members }]);
      }
    },
  };
}
