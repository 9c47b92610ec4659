import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { Change } from '@/server/state/change';
import { lockId, type LockRecord } from '@/server/state/lock-record';
import { waitingCount } from '@/server/state/waiting';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { LISTED_LOCKS, alertLock, keyName, locksSubject, lockSubject } from './subject';
import { thresholdOf } from './thresholds';

/** It must have gone on for so long, with so many turns taken. */
const LASTS_MS = 10_000;
const LEAST_TURNS = 20;
/** Beyond this a hold is work that takes its time, and no matter of handing over. */
const SHORT_MS = 100;
/** A queue that nobody moves on for so long is no convoy. */
const MOVES_WITHIN_MS = 2000;
/** Of the last turns. */
const KEPT_TIMES = 50;
const KEPT_LOCKS = 500;

interface Convoy {
  lock: LockRecord;
  since: number;
  lastAt: number;
  turns: number;
  leastWaiting: number;
  holdsMs: number[];
  gapsMs: number[];
}

function keep(times: number[], ms: number): void {
  times.push(ms);
  if (times.length > KEPT_TIMES) times.shift();
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const isConvoy = ({ since, lastAt, turns, holdsMs }: Convoy, now: number): boolean =>
  turns >= LEAST_TURNS &&
  lastAt - since >= LASTS_MS &&
  now - lastAt <= MOVES_WITHIN_MS &&
  median(holdsMs) <= SHORT_MS;

/**
 * Locks whose queue never gets empty although each holder is soon done: whoever lets go must wait for its turn again,
 * so that the work goes on no faster than the lock can be handed over (the "convoy" of Blasgen et al., The convoy
 * phenomenon, 1979).
 */
export function createConvoy(): Analyser {
  const lining = new Map<string, Convoy>();

  const ended = ({ lock, hold, at }: Extract<Change, { kind: 'hold-ended' }>): void => {
    const id = lockId(lock.db, lock.key);
    const waiting = waitingCount(lock) ?? 0;
    const known = lining.get(id);
    if (waiting === 0 || hold.endReason !== 'released' || hold.end === null) {
      lining.delete(id);
      return;
    }
    const one: Convoy = known ?? {
      ...{ lock, since: at, lastAt: at, turns: 0, leastWaiting: waiting },
      ...{ holdsMs: [], gapsMs: [] },
    };
    one.turns++;
    one.lastAt = at;
    one.leastWaiting = Math.min(one.leastWaiting, waiting);
    keep(one.holdsMs, hold.end - hold.since);
    if (known) return;
    lining.set(id, one);
    dropOldest(lining, KEPT_LOCKS);
  };

  const started = ({ lock, hold, previousEnd }: Extract<Change, { kind: 'hold-started' }>) => {
    const one = lining.get(lockId(lock.db, lock.key));
    if (one && previousEnd !== null) keep(one.gapsMs, Math.max(0, hold.since - previousEnd));
  };

  const convoys = (view: View): Convoy[] => {
    const found: Convoy[] = [];
    for (const [id, one] of lining) {
      const most = thresholdOf(view, 'convoy', one.lock);
      const waiting = waitingCount(one.lock) ?? 0;
      if (Math.min(waiting, one.leastWaiting) < most) lining.delete(id);
      else if (isConvoy(one, view.now)) found.push(one);
      else if (view.now - one.lastAt > LASTS_MS) lining.delete(id);
    }
    return found;
  };

  return {
    needs: 'events',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'hold-ended') ended(change);
        else if (change.kind === 'hold-started') started(change);
        else if (change.kind === 'lock-forgotten') {
          lining.delete(lockId(change.lock.db, change.lock.key));
        }
      }
    },
    findings: (view) =>
      [
        ...Map.groupBy(convoys(view), ({ lock }) =>
          JSON.stringify([lock.namespace, lock.class]),
        ).values(),
      ].flatMap(toFinding),
  };
}

/** All of one class together: what makes one of its locks so makes the others. */
function toFinding(group: Convoy[]): Finding[] {
  const [first] = group.toSorted((a, b) => b.turns - a.turns);
  if (!first) return [];
  const { lock, since, lastAt, turns, leastWaiting, holdsMs, gapsMs } = first;
  const values = {
    waiting: leastWaiting,
    holdMs: median(holdsMs),
    gapMs: median(gapsMs),
    perSecond: Math.round(((turns - 1) * 10_000) / Math.max(1, lastAt - since)) / 10,
  };
  const others = group.length - 1;
  return [
    {
      id: `convoy:${JSON.stringify([lock.namespace, lock.class])}`,
      code: 'convoy',
      severity: 'info',
      subject:
        others === 0
          ? lockSubject(lock)
          : locksSubject(
              `${keyName(lock.key)} and ${others === 1 ? '1 more lock' : `${others} more locks`}`,
              group.slice(0, LISTED_LOCKS).map((one) => alertLock(one.lock)),
            ),
      summary: [sentence('convoy:lines-up', values)],
      remedy: [sentence('convoy:remedy', {})],
      since: Math.min(...group.map((one) => one.since)),
      count: group.length,
      evidence: 'observed',
      moment: false,
    },
  ];
}
