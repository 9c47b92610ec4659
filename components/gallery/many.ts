import type { Alert } from '@/lib/protocol/alert';
import type { AuditEntry } from '@/lib/protocol/audit';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { Waits } from '@/lib/protocol/measures';
import type { UserView } from '@/lib/protocol/session';
import type { Target } from '@/lib/protocol/target';
import { sampleAlerts, sampleAudit, sampleDeadlocks } from './incidents';
import { sampleTargets } from './targets';
import { sampleSlowest, sampleWaits } from './waits';

/** As many as a page is ever sent at once. */
const MOST = 500;
const MANY_CLASSES = 2000;
const MANY_TARGETS = 12;
const LARGE_RING = 40;

/** `count` copies of the samples in turn, each made its own by `mark`. */
const repeated = <T>(samples: readonly T[], count: number, mark: (one: T, at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => samples.slice(at % samples.length)[0]).flatMap(
    (one, at) => (one === undefined ? [] : [mark(one, at)]),
  );

export function manyWaits(now: number): Waits {
  const waits = sampleWaits(now);
  const named = <T extends { class: string }>(row: T, at: number): T => ({
    ...row,
    class: `${row.class}:${at}`,
  });
  return {
    ...waits,
    slowest: sampleSlowest(now, 100),
    byClass: repeated(waits.byClass, MANY_CLASSES, named),
    notObservable: repeated(waits.notObservable, MANY_CLASSES, named),
  };
}

/** A hundred circles, the first of them too large to be drawn. */
export function manyDeadlocks(now: number): Deadlock[] {
  const samples = sampleDeadlocks(now);
  const circles = repeated(samples, 100, (one, at) => ({ ...one, id: `${one.id}-${at}` }));
  return circles.map((one, at) =>
    at > 0
      ? one
      : {
          ...one,
          cycle: repeated(one.cycle, LARGE_RING, (edge, place) => ({
            ...edge,
            owner: `pod-${place}`,
            heldBy: `pod-${(place + 1) % LARGE_RING}`,
          })),
        },
  );
}

export const manyAlerts = (now: number): Alert[] =>
  repeated(sampleAlerts(now), MOST, (one, at) => ({ ...one, id: `${one.id}-${at}` }));

export const manyAudit = (now: number): AuditEntry[] =>
  repeated(sampleAudit(now), MOST, (one, at) => ({ ...one, seq: MOST - at }));

export const manyTargets = (now: number): Target[] =>
  repeated(sampleTargets(now), MANY_TARGETS, (one, at) => ({ ...one, id: `redis-${at}` }));

const ROLES = ['admin', 'operator', 'viewer'] as const;

export const sampleUsers = (count: number): UserView[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    name: `Person ${at}`,
    email: `person-${at}@example.com`,
    role: ROLES[at % ROLES.length] ?? 'viewer',
  }));
