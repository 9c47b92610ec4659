import type { Word } from '@/lib/messages/sentence';
import type { CanSee } from '@/lib/protocol/target';
import type { EventMode } from './subscription';

/** What one proof (the canary, or the configured flags) says of each kind of event; null = no proof. */
export interface Proof {
  string: boolean | null;
  hash: boolean | null;
  zset: boolean | null;
  release: boolean | null;
  lapse: boolean | null;
}

export interface Sight {
  canSee: CanSee;
  acquireOf: { string: boolean | null; hash: boolean | null; zset: boolean | null };
  /** Flags of `notify-keyspace-events` that are needed and not set. */
  missingClasses: string[];
}

export const NO_PROOF: Proof = {
  string: null,
  hash: null,
  zset: null,
  release: null,
  lapse: null,
};

/** Classes that `A` stands for (redis.conf, notify-keyspace-events). */
const ALL_CLASSES = 'g$lshzxetd';

/** The classes we want, and what is not seen without each. */
const NEEDED: readonly [flag: string, blindTo: Word][] = [
  ['$', 'string-acquires'],
  ['h', 'hash-acquires'],
  ['z', 'zset-acquires'],
  ['l', 'queue-changes'],
  ['g', 'releases'],
  ['x', 'lapses'],
  ['e', 'evictions'],
];

/**
 * Class `n` (new keys) is not among the missing: acquire and renewal are told apart by their value as well,
 * and Redis 7.0 does not print it in CONFIG GET when `A` is set (tried), so that its absence proves nothing.
 */
export function missingClasses(flags: string | null, mode: EventMode): string[] {
  if (flags === null) return [];
  const classes = flags.replace('A', ALL_CLASSES);
  const missing = NEEDED.map(([flag]) => flag).filter((flag) => !classes.includes(flag));
  const carrier = mode === 'keyevent' ? 'E' : 'K';
  if (!classes.includes(carrier)) missing.unshift(carrier);
  return missing;
}

function byFlags(flags: string | null, mode: EventMode): Proof {
  if (flags === null) return NO_PROOF;
  const missing = missingClasses(flags, mode);
  const carried = !missing.includes('K') && !missing.includes('E');
  const has = (flag: string): boolean => carried && !missing.includes(flag);
  return {
    string: has('$'),
    hash: has('h'),
    zset: has('z'),
    release: has('g'),
    lapse: has('x'),
  };
}

/** The canary is proof; the flags only fill in where it could not be written. */
export function judgeSight(facts: { canary: Proof; flags: string | null; mode: EventMode }): Sight {
  const missing = missingClasses(facts.flags, facts.mode);
  if (facts.mode === null) {
    return {
      canSee: { acquire: false, release: false, lapse: false, eviction: false },
      acquireOf: { string: false, hash: false, zset: false },
      missingClasses: missing,
    };
  }
  const flags = byFlags(facts.flags, facts.mode);
  const string = facts.canary.string ?? flags.string;
  const carried = !missing.includes('K') && !missing.includes('E');
  return {
    canSee: {
      acquire: string,
      release: facts.canary.release ?? flags.release,
      lapse: facts.canary.lapse ?? flags.lapse,
      eviction: facts.flags === null ? null : carried && !missing.includes('e'),
    },
    acquireOf: {
      string,
      hash: facts.canary.hash ?? flags.hash,
      zset: facts.canary.zset ?? flags.zset,
    },
    missingClasses: missing,
  };
}

/** What cannot be seen; empty when nothing important is missing. */
export function blindTo(sight: Sight): Word[] {
  const { canSee, acquireOf } = sight;
  const blind: Word[] = [];
  const say = (seen: boolean | null, flag: string): void => {
    const word = NEEDED.find(([needed]) => needed === flag)?.[1];
    if (seen === false && word) blind.push(word);
  };
  say(acquireOf.string, '$');
  say(acquireOf.hash, 'h');
  say(acquireOf.zset, 'z');
  say(canSee.release, 'g');
  say(canSee.lapse, 'x');
  say(canSee.eviction, 'e');
  if (sight.missingClasses.includes('l')) say(false, 'l');
  return blind;
}

/** Whether the main signs of a lock's life are proven or at least not disproven. */
export function isBlind(sight: Sight): boolean {
  const { canSee, acquireOf } = sight;
  return [canSee.acquire, canSee.release, acquireOf.hash, acquireOf.zset].includes(false);
}

export function sameSight(a: Sight | null, b: Sight): boolean {
  return a !== null && JSON.stringify(a) === JSON.stringify(b);
}
