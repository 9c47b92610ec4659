import { bsmRedislock } from '@/lib/formats/bsm-redislock';
import { redlock } from '@/lib/formats/redlock';
import { sesamecareRedlock } from '@/lib/formats/sesamecare-redlock';
import { dropOldest } from '@/lib/analysis/drop-oldest';
import { keySlot } from '@/lib/analysis/key-slot';
import type { Bytes } from '@/lib/protocol/bytes';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';

/**
 * Libraries that take all keys of a lock by one script, with one token. Redisson and our own client take one after another,
 * and redlock-universal gives each its own token.
 */
const TAKES_TOGETHER: ReadonlySet<string> = new Set(
  [redlock, sesamecareRedlock, bsmRedislock].map(({ id }) => id),
);
/** What one script writes comes in one read of the socket, or in two that follow each other. */
const TOGETHER_MS = 250;
/** What is made at random for one acquire is no shorter. */
const LEAST_TOKEN_BYTES = 16;
/** One may be chance: somebody's fixed token, of which two locks were taken at once. */
const LEAST_LOCKS = 2;
const LASTS_MS = 24 * 60 * 60 * 1000;
const KEPT_TOKENS = 5_000;
const KEPT_LOCKS = 1_000;
const MOST_KEYS = 16;

/** Keys that were taken in one moment by one token. */
interface MultiLock {
  db: number;
  keys: Bytes[];
  library: string;
  at: number;
  /** Taken again later with the same token, which was then not made for one acquire. */
  isFixed: boolean;
}

/** What was seen of locks over several keys in the last 24 hours. */
export interface SeenMultiLocks {
  /** Those whose keys all lie in one slot of a cluster. */
  together: number;
  /** Those whose keys lie in several; 0 while there may be chance in it. */
  split: number;
  /** The newest of the split ones. */
  example: Pick<MultiLock, 'db' | 'keys' | 'library' | 'at'> | null;
}

export interface MultiLocks extends Analyser {
  seen: (now: number) => SeenMultiLocks;
}

function tokenOf({ token, sinceEvidence, notes }: HoldRecord): Bytes | null {
  if (token === null || token.length < LEAST_TOKEN_BYTES) return null;
  return sinceEvidence === 'observed' && !notes.has('moved-in') ? token : null;
}

const isSplit = ({ keys }: MultiLock): boolean => new Set(keys.map(keySlot)).size > 1;

/** Finds locks over several keys by their token. It raises nothing: on a server of its own they are fine. */
export function createMultiLocks(): MultiLocks {
  const byToken = new Map<string, MultiLock>();
  const multi = new Set<MultiLock>();

  const take = ({ db, key, format }: LockRecord, hold: HoldRecord): void => {
    if (!TAKES_TOGETHER.has(format.id)) return;
    const token = tokenOf(hold);
    if (token === null) return;
    const id = `${db}:${token}`;
    const known = byToken.get(id);
    if (!known) {
      const { name: library } = format;
      byToken.set(id, { db, keys: [key], library, at: hold.since, isFixed: false });
      dropOldest(byToken, KEPT_TOKENS);
    } else if (Math.abs(hold.since - known.at) > TOGETHER_MS) known.isFixed = true;
    else if (!known.keys.includes(key) && known.keys.length < MOST_KEYS) {
      known.keys.push(key);
      multi.add(known);
      dropOldest(multi, KEPT_LOCKS);
    }
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'hold-started' || change.kind === 'hold-updated') {
          take(change.lock, change.hold);
        }
      }
    },
    findings: () => [],
    seen: (now) => {
      for (const lock of multi) if (now - lock.at > LASTS_MS) multi.delete(lock);
      const all = [...multi].filter(({ isFixed }) => !isFixed);
      const split = all.filter(isSplit);
      const isSure = split.length >= LEAST_LOCKS;
      return {
        together: all.length - split.length,
        split: isSure ? split.length : 0,
        example: isSure ? (split.at(-1) ?? null) : null,
      };
    },
  };
}
