import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { Alert } from '@/lib/protocol/alert';

export const FLAPS_WITHIN_MS = 10 * 60_000;
/** One that flaps stays open until it was gone for so long. */
export const CALM_MS = 2 * 60_000;
/** Bounds what is remembered; the longest unchanged goes first. */
const MOST = 10_000;

interface Known {
  goneAt: number | null;
  returns: number[];
}

/** How often each finding was over and came back, by the hash of its id. */
export interface Flaps {
  gone: (hash: string, now: number) => void;
  /** Counts a return if it was gone, and answers how many there were of late. */
  back: (hash: string, now: number) => number;
  /** Takes up what an alert of before a restart tells of it. */
  recall: (hash: string, alert: Pick<Alert, 'flaps' | 'updatedAt'>, goneAt: number | null) => void;
  /** Returns of late. */
  count: (hash: string, now: number) => number;
}

export function createFlaps(): Flaps {
  const known = new Map<string, Known>();

  const touch = (hash: string, one: Known): void => {
    known.delete(hash);
    known.set(hash, one);
    dropOldest(known, MOST);
  };

  const recent = (one: Known, now: number): number[] =>
    one.returns.filter((at) => now - at <= FLAPS_WITHIN_MS);

  return {
    gone: (hash, now) => {
      const one = known.get(hash) ?? { goneAt: null, returns: [] };
      touch(hash, { goneAt: now, returns: recent(one, now) });
    },
    back: (hash, now) => {
      const one = known.get(hash);
      if (!one) return 0;
      const { goneAt } = one;
      const returns = recent(one, now);
      if (goneAt !== null && now - goneAt <= FLAPS_WITHIN_MS) returns.push(now);
      touch(hash, { goneAt: null, returns });
      return returns.length;
    },
    recall: (hash, { flaps = 0, updatedAt }, goneAt) => {
      if (flaps === 0 && goneAt === null) return;
      touch(hash, { goneAt, returns: Array<number>(flaps).fill(updatedAt) });
    },
    count: (hash, now) => {
      const one = known.get(hash);
      return one ? recent(one, now).length : 0;
    },
  };
}
