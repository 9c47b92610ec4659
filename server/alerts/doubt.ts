import type { Alert } from '@/lib/protocol/alert';
import type { Target } from '@/lib/protocol/target';
import { sightOf, type Sight } from '@/server/analysers/analyser';
import type { Finding } from '@/server/analysers/finding';
import type { Entry } from './alert-life';

/** How far the target can be seen at a moment. */
export interface SightNow {
  sees: Sight;
  /** When the last sweep ended of the node that was swept longest ago; null = none has yet. */
  sweptAt: number | null;
}

export const ALL_SEEN: SightNow = { sees: 'events', sweptAt: Infinity };

/** `isReady`: the watch has swept, or knows that it cannot; where it cannot, reads have to do. */
export function sightNow(target: Target, isReady: boolean): SightNow {
  const ends = target.nodes.flatMap(({ connected, sweep }) =>
    connected ? [sweep.finishedAt ?? (isReady ? Infinity : null)] : [],
  );
  const known = ends.filter((at) => at !== null);
  const sweptAt = known.length < ends.length || known.length === 0 ? null : Math.min(...known);
  return { sees: sightOf(target), sweptAt };
}

/**
 * What a console that is blind cannot tell of the alerts about locks. A moment is not in doubt: what happened was seen.
 *
 * - While `blind` is found every such alert is doubtful, and none is certain before sight is back.
 * - Without a connection none ends. With one, but without events, reads still tell: an alert whose finding has gone
 *   ends once a sweep has ended since.
 * - After a connection was lost nothing is told before a sweep, because the table is as it was before.
 */
export interface Doubt {
  look: (findings: readonly Finding[], sight: SightNow, now: number) => void;
  /** Since when the alert is in doubt, or null. */
  sinceOf: (entry: Entry) => number | null;
  /** Whether what was in doubt can be told now. */
  isLifted: () => boolean;
  /** Whether it can be told that the finding of the alert has gone. */
  canEnd: (entry: Entry) => boolean;
  /** Whether anything was swept since the console began to watch or lost its connection. */
  hasSwept: () => boolean;
}

const isAboutLocks = ({ subject }: Alert): boolean => subject.kind !== 'target';

export function createDoubt(): Doubt {
  let blindSince: number | null = null;
  let sight = ALL_SEEN;
  let unseenUntil = -Infinity;

  const concerns = ({ alert, moment }: Entry): boolean =>
    !moment && alert.code !== 'blind' && isAboutLocks(alert);
  const hasSwept = (): boolean => sight.sweptAt !== null && sight.sweptAt > unseenUntil;

  return {
    look: (findings, present, now) => {
      sight = present;
      if (sight.sees === 'nothing') unseenUntil = now;
      blindSince = findings.find(({ code }) => code === 'blind')?.since ?? null;
    },
    sinceOf: (entry) => (concerns(entry) ? blindSince : null),
    isLifted: () => blindSince === null && sight.sees !== 'nothing' && hasSwept(),
    canEnd: (entry) => {
      if (!concerns(entry)) return true;
      if (sight.sees === 'nothing' || !hasSwept()) return false;
      const isWatched = blindSince === null || sight.sees === 'events';
      return isWatched || (sight.sweptAt ?? 0) > (entry.goneAt ?? Infinity);
    },
    hasSwept,
  };
}
