import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch } from '@/lib/analysis/sketch';
import type { LockRecord } from '@/server/state/lock-record';

/** Fewer say nothing about the hundredth one. */
const LEAST_SAMPLES = 100;
/** Beyond these a class is measured anew, so that what it did last month does not judge today. */
const MOST_SAMPLES = 10_000;
const MOST_CLASSES = 2_000;

type ClassName = Pick<LockRecord, 'class' | 'namespace'>;

/** What is usual for a class: durations (ms) of its recent past. Bounded; the class known longest goes first. */
export interface ClassUsual {
  add: (name: ClassName, ms: number) => void;
  /** Up to which duration that share (0…1) of them goes; null while too few were seen. */
  quantile: (name: ClassName, share: number) => number | null;
}

/** Computed anew once this share of samples has come since. */
const STALE_SHARE = 1.1;

interface Known {
  past: Sketch | null;
  present: Sketch;
  /** By share, of the first `computedOf` samples: asked for every held lock several times a second. */
  computed: Map<number, number | null>;
  computedOf: number;
}

function quantileOf(known: Known, share: number): number | null {
  const { past, present, computed } = known;
  const sketch = present.count >= LEAST_SAMPLES ? present : past;
  if (!sketch || sketch.count < LEAST_SAMPLES) return null;
  if (sketch.count > known.computedOf * STALE_SHARE || sketch.count < known.computedOf) {
    computed.clear();
    known.computedOf = sketch.count;
  }
  let quantile = computed.get(share);
  if (quantile === undefined) computed.set(share, (quantile = sketch.quantile(share)));
  return quantile;
}

export function createClassUsual(): ClassUsual {
  const classes = new Map<string, Map<string, Known>>();
  let size = 0;

  const forgetOldest = (): void => {
    for (const [namespace, known] of classes) {
      const [oldest] = known.keys();
      if (oldest !== undefined && known.delete(oldest)) size--;
      if (known.size === 0) classes.delete(namespace);
      return;
    }
  };

  const knownOf = ({ namespace, class: name }: ClassName): Known => {
    const inNamespace = classes.get(namespace) ?? new Map<string, Known>();
    classes.set(namespace, inNamespace);
    let known = inNamespace.get(name);
    if (known) return known;
    known = { past: null, present: createSketch(), computed: new Map(), computedOf: 0 };
    inNamespace.set(name, known);
    size++;
    if (size > MOST_CLASSES) forgetOldest();
    return known;
  };

  return {
    add: (name, ms) => {
      const known = knownOf(name);
      known.present.add(ms);
      if (known.present.count < MOST_SAMPLES) return;
      known.past = known.present;
      known.present = createSketch();
    },
    quantile: ({ namespace, class: name }, share) => {
      const known = classes.get(namespace)?.get(name);
      return known ? quantileOf(known, share) : null;
    },
  };
}
