import { leftOf, oldestBeyond } from '@/lib/analysis/drop-oldest';
import { z } from 'zod';
import { stableHash } from '@/lib/analysis/stable-hash';
import type { Overrun } from '@/lib/protocol/lock';
import type { Change } from '@/server/state/change';
import { countedReason } from '@/server/state/hold-end';
import { lockId, type HoldRecord, type LockRecord } from '@/server/state/lock-record';

/** Counted by steps of this length, for a week. */
const STEP_MS = 6 * 3_600_000;
const SPAN_MS = 7 * 86_400_000;
/** Locks, and holders, whose last overrun is the latest. */
const MOST_COUNTED = 5_000;
/** Of a longer key or name its hash stands for it: what is kept for a week, and written, has to stay small. */
const LONGEST_ID = 200;

/** How many leases ended while they were held; of these, whose end was concluded, and who released afterwards. */
type Counts = [count: number, inferred: number, lateReleases: number];

interface Counted {
  /** Whatever happened since then is in it. */
  since: number;
  lastAt: number;
  steps: Map<number, Counts>;
}

/** What one hold adds. */
interface Told {
  lock: string;
  holder: string | null;
  at: number;
  counts: Counts;
}

/** What stays the same of a holder from one hold to the next, where its token or client names it. */
export interface NamedHolder {
  kind: 'instance' | 'host' | 'app';
  name: string;
}

/** Null where nothing but the hold itself is named. */
export function namedHolder({ owner }: Pick<HoldRecord, 'owner'>): NamedHolder | null {
  if (owner?.instance) return { kind: 'instance', name: owner.instance };
  if (owner?.host) return { kind: 'host', name: owner.host };
  return owner?.app ? { kind: 'app', name: owner.app } : null;
}

const holderId = ({ kind, name }: NamedHolder): string => `${kind}:${name}`;

/** Of a lock kept on purpose after its work the lease is meant to end. */
function toldOf({ db, key }: LockRecord, hold: HoldRecord): Told | null {
  if (hold.end === null || hold.notes.has('finished-kept')) return null;
  if (countedReason(hold) !== 'lease-ended') return null;
  const holder = namedHolder(hold);
  const isInferred = hold.endEvidence !== 'observed';
  const counts: Counts = [1, isInferred ? 1 : 0, hold.notes.has('late-release') ? 1 : 0];
  return { lock: lockId(db, key), holder: holder && holderId(holder), at: hold.end, counts };
}

const firstStep = (now: number): number => Math.floor((now - SPAN_MS) / STEP_MS) + 1;

function totalOf({ since, lastAt, steps }: Counted, now: number): Overrun | null {
  const first = firstStep(now);
  const [count, inferred, lateReleases] = [...steps]
    .filter(([step]) => step >= first)
    .reduce<Counts>((sum, [, add]) => plus(sum, add, 1), [0, 0, 0]);
  if (count === 0) return null;
  return { since: Math.max(since, first * STEP_MS), count, inferred, lateReleases, lastAt };
}

const plus = (a: Counts, b: Counts, sign: 1 | -1): Counts => [
  a[0] + sign * b[0],
  a[1] + sign * b[1],
  a[2] + sign * b[2],
];

const SavedCounts = z.array(
  z.object({
    id: z.string(),
    since: z.number(),
    lastAt: z.number(),
    steps: z.array(z.tuple([z.number().int(), z.number(), z.number(), z.number()])),
  }),
);

const Saved = z.object({
  version: z.literal(1),
  since: z.number(),
  locks: SavedCounts,
  holders: SavedCounts,
});

const shortId = (name: string): string =>
  name.length <= LONGEST_ID ? name : `#${stableHash(name)}`;

/** Counters by name, those with the latest overrun last. */
class Counters {
  #all = new Map<string, Counted>();
  /** Of those that were dropped nothing is known up to here. */
  #droppedTo = Number.NEGATIVE_INFINITY;

  get(name: string): Counted | undefined {
    return this.#all.get(shortId(name));
  }

  add(name: string, { at, counts }: Told, { sign, began }: { sign: 1 | -1; began: number }): void {
    const id = shortId(name);
    const known = this.#all.get(id);
    if (!known && sign < 0) return;
    const since = Math.max(began, this.#droppedTo);
    const counted = known ?? { since, lastAt: at, steps: new Map<number, Counts>() };
    const step = Math.floor(at / STEP_MS);
    counted.steps.set(step, plus(counted.steps.get(step) ?? [0, 0, 0], counts, sign));
    counted.lastAt = Math.max(counted.lastAt, at);
    for (const old of counted.steps.keys()) {
      if (old < firstStep(counted.lastAt)) counted.steps.delete(old);
    }
    this.#all.delete(id);
    this.#all.set(id, counted);
    this.#dropOldest();
  }

  #dropOldest(): void {
    for (const oldest of oldestBeyond(this.#all, MOST_COUNTED)) {
      this.#droppedTo = Math.max(this.#droppedTo, this.#all.get(oldest)?.lastAt ?? 0);
      this.#all.delete(oldest);
    }
  }

  save(): z.infer<typeof SavedCounts> {
    return [...this.#all].map(([id, { since, lastAt, steps }]) => ({
      ...{ id, since, lastAt },
      steps: [...steps].map(([step, counts]) => [step, ...counts]),
    }));
  }

  restore(saved: z.infer<typeof SavedCounts>): void {
    for (const { id, since, lastAt, steps } of saved) {
      const counts = steps.map(([step, ...sums]): [number, Counts] => [step, sums]);
      this.#all.set(id, { since, lastAt, steps: new Map(counts) });
    }
    // Of so many, others may have been dropped, whose last overrun was no later than that of the oldest.
    const [oldest] = saved;
    if (oldest && saved.length >= leftOf(MOST_COUNTED)) this.#droppedTo = oldest.lastAt;
  }
}

/** How often leases ended while they were held: of each lock, and of each holder on whatever lock. */
export interface OverrunCounts {
  observe: (changes: readonly Change[]) => void;
  /** Null = none in the time that is counted. */
  ofLock: (lock: Pick<LockRecord, 'db' | 'key'>, now: number) => Overrun | null;
  ofHolder: (holder: NamedHolder, now: number) => Overrun | null;
  /** What is kept over a restart, as plain JSON. `version` grows when it is another. */
  save: () => unknown;
  readonly version: number;
  restore: (saved: unknown) => void;
}

/** Counts over a week, for 5,000 locks and as many holders; a correction of an end corrects its count. */
export function createOverrunCounts(): OverrunCounts {
  const locks = new Counters();
  const holders = new Counters();
  const told = new WeakMap<HoldRecord, Told>();
  let began: number | null = null;
  let version = 0;

  const count = (one: Told, sign: 1 | -1): void => {
    const how = { sign, began: began ?? one.at };
    locks.add(one.lock, one, how);
    if (one.holder !== null) holders.add(one.holder, one, how);
    version++;
  };

  const take = (lock: LockRecord, hold: HoldRecord): void => {
    const before = told.get(hold);
    const after = toldOf(lock, hold);
    // What ended before anything was counted is in no figure.
    const counts = after !== null && after.at >= (began ?? after.at);
    if (before) count(before, -1);
    if (counts) {
      count(after, 1);
      told.set(hold, after);
    } else if (before) told.delete(hold);
  };

  return {
    observe: (changes) => {
      for (const change of changes) {
        began ??= change.at;
        if (change.kind === 'hold-ended' || change.kind === 'hold-revised') {
          take(change.lock, change.hold);
        }
      }
    },
    ofLock: ({ db, key }, now) => {
      const counted = locks.get(lockId(db, key));
      return counted ? totalOf(counted, now) : null;
    },
    ofHolder: (holder, now) => {
      const counted = holders.get(holderId(holder));
      return counted ? totalOf(counted, now) : null;
    },
    save: () => ({ version: 1, since: began, locks: locks.save(), holders: holders.save() }),
    get version() {
      return version;
    },
    restore: (value) => {
      const saved = Saved.safeParse(value);
      // Of another making: it is counted anew.
      if (!saved.success) return;
      began = saved.data.since;
      locks.restore(saved.data.locks);
      holders.restore(saved.data.holders);
    },
  };
}
