import type { Sketch } from '@/lib/analysis/analysis-contract';
import type { Change } from '@/server/state/change';
import { isMeasured } from '@/server/state/hold-end';
import { ByClass, MOST_CLASSES, type ClassName } from './by-class';
import { Durations } from './durations';

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
 * that ended since. Of history the classes with most holds are kept.
 */
export interface UsualHolds {
  observe: (changes: readonly Change[]) => void;
  /** Up to which duration (ms) that share (0…1) of the holds goes; null while too few were seen. */
  quantile: (name: ClassName, share: number) => number | null;
  /** Of that class, whatever its namespace is, the one with most holds first. */
  ofClass: (lockClass: string) => UsualOfClass[];
  /** Those with most holds first. */
  all: () => UsualOfClass[];
  /** Since when holds are counted, epoch ms; null = none was seen. */
  readonly from: number | null;
  /** Counts apart from now on what ends at `at` or later, until history of what ended before takes the place of the rest. */
  divide: (at: number) => void;
  /** `past` tells of [`from`, the moment of the last {@link divide}). */
  replacePast: (past: readonly PastHolds[], from: number) => void;
}

type Holds = ByClass<Durations>;

const noHolds = (): Holds => new ByClass(() => new Durations());

function usualOf({ value, ...name }: ClassName & { value: Durations }): UsualOfClass {
  const p99Ms = value.quantile(0.99);
  return { ...name, p99Ms, holds: value.basis };
}

const byHolds = (a: UsualOfClass, b: UsualOfClass): number => b.holds - a.holds;

export function createUsualHolds(): UsualHolds {
  let classes = noHolds();
  let since: { at: number; classes: Holds } | null = null;
  let from: number | null = null;

  const add = (lock: ClassName, end: number, heldMs: number): void => {
    classes.of(lock).add(heldMs);
    if (since && end >= since.at) since.classes.of(lock).add(heldMs);
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
    quantile: (name, share) => classes.get(name)?.quantile(share) ?? null,
    ofClass: (lockClass) => classes.named(lockClass).map(usualOf).toSorted(byHolds),
    all: () => [...classes.all()].map(usualOf).toSorted(byHolds),
    get from() {
      return from;
    },
    divide: (at) => {
      since = { at, classes: noHolds() };
    },
    replacePast: (past, pastFrom) => {
      const told = noHolds();
      const kept = past.toSorted((a, b) => b.holds.count - a.holds.count).slice(0, MOST_CLASSES);
      // The least used first, so that it goes first.
      for (const each of kept.toReversed()) told.of(each).merge(each.holds);
      for (const each of since?.classes.all() ?? []) told.of(each).merge(each.value);
      classes = told;
      since = null;
      from = pastFrom;
    },
  };
}
