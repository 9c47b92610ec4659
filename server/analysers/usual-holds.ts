import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch } from '@/lib/analysis/sketch';
import type { Change } from '@/server/state/change';
import { isMeasured } from '@/server/state/hold-end';
import type { LockRecord } from '@/server/state/lock-record';

/** Fewer say nothing about the hundredth one. */
const LEAST_SAMPLES = 100;
const MOST_CLASSES = 2_000;
/** A quantile is computed anew once this share of holds has come since. */
const STALE_SHARE = 1.1;

export type ClassName = Pick<LockRecord, 'class' | 'namespace'>;

/** How long holds of one class lasted in the past, as history tells. */
export interface PastHolds extends ClassName {
  holds: Sketch;
}

/** What is usual of one class, and what that rests on. */
export interface UsualOfClass extends ClassName {
  /** 99 of 100 holds end within so many ms; null while too few were seen. */
  p99Ms: number | null;
  /** Of so many holds. */
  holds: number;
}

/**
 * How long the holds of a class last whose start and end were seen: those that history tells up to a moment, and those
 * that ended since. Bounded: of history the classes with most holds are kept, then the one known longest goes first.
 */
export interface UsualHolds {
  observe: (changes: readonly Change[]) => void;
  /** Up to which duration (ms) that share (0…1) of the holds goes; null while too few were seen. */
  quantile: (name: ClassName, share: number) => number | null;
  /** Of that class, whatever its namespace is, the one with most holds first. */
  ofClass: (lockClass: string) => UsualOfClass[];
  /** Classes with most holds first. */
  most: (limit: number) => UsualOfClass[];
  /** Since when holds are counted, epoch ms; null = none was seen. */
  readonly from: number | null;
  /** Counts apart from now on what ends at `at` or later, until history of what ended before takes the place of the rest. */
  divide: (at: number) => void;
  /** `past` tells of [`from`, the moment of the last {@link divide}). */
  replacePast: (past: readonly PastHolds[], from: number) => void;
}

interface Known extends ClassName {
  holds: Sketch;
  /** By share, of the first `computedOf` holds: asked for every held lock several times a second. */
  computed: Map<number, number | null>;
  computedOf: number;
}

class Classes {
  readonly #byNamespace = new Map<string, Map<string, Known>>();
  #size = 0;

  find({ namespace, class: name }: ClassName): Known | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  of(className: ClassName): Known {
    const { namespace, class: name } = className;
    const known = this.find(className);
    if (known) return known;
    const made = {
      ...{ namespace, class: name, holds: createSketch() },
      ...{ computed: new Map<number, number | null>(), computedOf: 0 },
    };
    const inNamespace = this.#byNamespace.get(namespace) ?? new Map<string, Known>();
    this.#byNamespace.set(namespace, inNamespace.set(name, made));
    this.#size += 1;
    if (this.#size > MOST_CLASSES) this.#forgetOldest();
    return made;
  }

  #forgetOldest(): void {
    for (const [namespace, known] of this.#byNamespace) {
      const [oldest] = known.keys();
      if (oldest !== undefined && known.delete(oldest)) this.#size -= 1;
      if (known.size === 0) this.#byNamespace.delete(namespace);
      return;
    }
  }

  *all(): Generator<Known> {
    for (const inNamespace of this.#byNamespace.values()) yield* inNamespace.values();
  }

  named(lockClass: string): Known[] {
    return [...this.#byNamespace.values()].flatMap((known) => known.get(lockClass) ?? []);
  }
}

function quantileOf(known: Known, share: number): number | null {
  const { holds, computed } = known;
  if (holds.count < LEAST_SAMPLES) return null;
  if (holds.count > known.computedOf * STALE_SHARE) {
    computed.clear();
    known.computedOf = holds.count;
  }
  let quantile = computed.get(share);
  if (quantile === undefined) computed.set(share, (quantile = holds.quantile(share)));
  return quantile;
}

function usualOf(known: Known): UsualOfClass {
  const p99Ms = quantileOf(known, 0.99);
  const holds = p99Ms === null ? known.holds.count : known.computedOf;
  return { namespace: known.namespace, class: known.class, p99Ms, holds };
}

const byHolds = (a: UsualOfClass, b: UsualOfClass): number => b.holds - a.holds;

export function createUsualHolds(): UsualHolds {
  let classes = new Classes();
  let since: { at: number; classes: Classes } | null = null;
  let from: number | null = null;

  const add = (lock: ClassName, end: number, heldMs: number): void => {
    classes.of(lock).holds.add(heldMs);
    if (since && end >= since.at) since.classes.of(lock).holds.add(heldMs);
  };

  return {
    observe: (changes) => {
      for (const change of changes) {
        from ??= change.at;
        if (change.kind !== 'hold-ended' || change.hold.end === null) continue;
        const { end, since: start, sinceEvidence } = change.hold;
        if (sinceEvidence === 'observed' && isMeasured(change.hold) && end >= start) {
          add(change.lock, end, end - start);
        }
      }
    },
    quantile: (name, share) => {
      const known = classes.find(name);
      return known ? quantileOf(known, share) : null;
    },
    ofClass: (lockClass) => classes.named(lockClass).map(usualOf).toSorted(byHolds),
    most: (limit) => [...classes.all()].map(usualOf).toSorted(byHolds).slice(0, limit),
    get from() {
      return from;
    },
    divide: (at) => {
      since = { at, classes: new Classes() };
    },
    replacePast: (past, pastFrom) => {
      const told = new Classes();
      const kept = past.toSorted((a, b) => b.holds.count - a.holds.count).slice(0, MOST_CLASSES);
      // The least used first, so that it goes first.
      for (const each of kept.toReversed()) told.of(each).holds.merge(each.holds);
      for (const each of since?.classes.all() ?? []) told.of(each).holds.merge(each.holds);
      classes = told;
      since = null;
      from = pastFrom;
    },
  };
}
