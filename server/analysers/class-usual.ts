import { ByClass, type ClassName } from './by-class';
import { Durations } from './durations';

/** Beyond these a class is measured anew, so that what it did last month does not judge today. */
const MOST_SAMPLES = 10_000;

/** What is usual for a class: durations (ms) of its recent past. */
export interface ClassUsual {
  add: (name: ClassName, ms: number) => void;
  /** Up to which duration that share (0…1) of them goes; null while too few were seen. */
  quantile: (name: ClassName, share: number) => number | null;
}

export function createClassUsual(): ClassUsual {
  const classes = new ByClass<{ past?: Durations; present: Durations }>(() => ({
    present: new Durations(),
  }));
  return {
    add: (name, ms) => {
      const known = classes.of(name);
      known.present.add(ms);
      if (known.present.count < MOST_SAMPLES) return;
      known.past = known.present;
      known.present = new Durations();
    },
    quantile: (name, share) => {
      const known = classes.get(name);
      return known?.present.quantile(share) ?? known?.past?.quantile(share) ?? null;
    },
  };
}
