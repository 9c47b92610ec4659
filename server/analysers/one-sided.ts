import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import { MOMENT_LASTS_MS, type Finding } from './finding';
import { clip, nameOf } from './subject';
import { thresholdOf } from './thresholds';

/** Who took locks of the class within this time before the restart is expected after it. */
const BEFORE_MS = 10 * 60_000;
/** So many by one and none by the others is no accident. */
const LEAST_ACQUIRES = 10;
const MOST_CLASSES = 500;
const MOST_INSTANCES = 50;

interface Taker {
  name: string;
  times: number;
  lastAt: number;
  /** The last hold that was counted: one is told of again when its owner is read, or when it is re-entered. */
  lastHold: HoldRecord;
}

type Takers = Map<string, Taker>;

interface Class {
  name: Pick<LockRecord, 'class' | 'namespace'>;
  takers: Takers;
  /** Since the last restart, where several took locks of the class before it. */
  restart: { at: number; before: number; takers: Takers } | null;
}

/** Who it is beyond one acquire; null where the token names nobody. */
const takerOf = ({ owner }: HoldRecord): string | null => owner?.instance ?? owner?.host ?? null;

function count(takers: Takers, id: string, taker: Omit<Taker, 'times'>): void {
  const known = takers.get(id);
  if (known?.lastHold === taker.lastHold) return;
  if (!known && takers.size >= MOST_INSTANCES) return;
  takers.set(id, { ...taker, times: (known?.times ?? 0) + 1 });
}

/**
 * Classes of which only one instance gets locks since a restart or failover of Redis, though several did before: the
 * others may still wait on connections or subscriptions that died with the old server.
 */
export function createOneSided(): Analyser {
  const classes = new Map<string, Class>();

  const take = (lock: LockRecord, hold: HoldRecord, at: number): void => {
    const id = takerOf(hold);
    if (id === null || !hold.owner) return;
    const name = { class: lock.class, namespace: lock.namespace };
    const known = classes.get(lock.class) ?? { name, takers: new Map(), restart: null };
    classes.delete(lock.class);
    classes.set(lock.class, known);
    dropOldest(classes, MOST_CLASSES);
    const taker = { name: nameOf(hold.owner), lastAt: at, lastHold: hold };
    count(known.takers, id, taker);
    if (known.restart) count(known.restart.takers, id, taker);
  };

  const restarted = (from: number, at: number): void => {
    for (const known of classes.values()) {
      for (const [id, { lastAt }] of known.takers) {
        if (from - lastAt > BEFORE_MS) known.takers.delete(id);
      }
      const before = known.takers.size;
      known.restart = before > 1 ? { at, before, takers: new Map() } : null;
    }
  };

  return {
    needs: 'events',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'gap' && change.reason === 'server-restarted') {
          restarted(change.from, change.to);
        } else if (change.kind === 'hold-started' || change.kind === 'hold-updated') {
          take(change.lock, change.hold, change.at);
        }
      }
    },
    findings: (view) => {
      const found: Finding[] = [];
      for (const known of classes.values()) {
        const { name, restart } = known;
        if (!restart) continue;
        const lastsMs = thresholdOf(view, 'one-sided', name);
        const agoMs = view.now - restart.at;
        if (restart.takers.size > 1 || agoMs > lastsMs + MOMENT_LASTS_MS) known.restart = null;
        else if (agoMs > lastsMs) found.push(...oneSided(name.class, restart, view.now));
      }
      return found;
    },
  };
}

function oneSided(
  name: string,
  { at, before, takers }: NonNullable<Class['restart']>,
  now: number,
): Finding[] {
  const [only] = takers.values();
  if (!only || only.times < LEAST_ACQUIRES) return [];
  return [
    {
      id: `one-sided:${name}`,
      code: 'one-sided',
      severity: 'warning',
      subject: { kind: 'class', label: clip(name), locks: [], deadlockId: null },
      summary: [
        sentence('one-sided:only', { owner: only.name, instances: before, lastsMs: now - at }),
      ],
      remedy: [sentence('one-sided:remedy', {})],
      since: at,
      count: 1,
      // That the others still want the locks is a conclusion.
      evidence: 'inferred',
      moment: false,
    },
  ];
}
