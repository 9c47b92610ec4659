import type { FormatTable } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import { detached } from './detached';
import type { KnownLocks } from './trace-contract';

/** Which locks a trace follows: those that the table knows, and what may be one by its name. */
export interface TracedLocks {
  /** The lock that a key is, or belongs to as a side key; null = none that is followed. */
  ofKey: (db: number, key: Bytes) => Bytes | null;
  /** The lock whose waiters listen on the channel, if it was met before. */
  ofChannel: (channel: Bytes) => { db: number; key: Bytes } | null;
}

export interface TracedLocksOptions {
  formats: Pick<FormatTable, 'sideKey'>;
  locks: Pick<KnownLocks, 'has' | 'channels'>;
  /** Whether a key that the table does not know may be a lock by its name. */
  mayBeLock: (key: Bytes) => boolean;
}

const MOST_MET = 20_000;
/** Bytes of a name. Each is sent to browsers four times a second, and no library makes such long ones. */
const LONGEST_NAME = 8192;

export function createTracedLocks({ formats, locks, mayBeLock }: TracedLocksOptions): TracedLocks {
  const met = new Set<string>();
  const channels = new Map<Bytes, { db: number; key: Bytes }>();

  /** A waiter listens after it has tried, so a lock is met before its channels. */
  const meet = (db: number, key: Bytes): void => {
    const id = `${db}:${key}`;
    if (met.has(id) || met.size >= MOST_MET) return;
    met.add(detached(id));
    const lock = { db, key: detached(key) };
    for (const channel of locks.channels(db, lock.key)) channels.set(channel, lock);
  };

  return {
    ofKey: (db, key) => {
      if (key.length > LONGEST_NAME) return null;
      const side = formats.sideKey(key);
      const lock = side ? side.parent : key;
      if (lock === null || !(locks.has(db, lock) || mayBeLock(lock))) return null;
      meet(db, lock);
      return lock;
    },
    ofChannel: (channel) => channels.get(channel) ?? null,
  };
}
