import { classTemplate } from '@/lib/analysis/lock-class';
import type { LockFormat, Recognition } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Certainty } from '@/lib/protocol/libraries';

/** A format that keys of a class were found to fit, and the first reason. */
export interface Fit {
  format: LockFormat;
  certainty: Certainty;
  because: Recognition['because'];
}

/** What is known of the keys of one class. */
export interface KeyClass {
  /** `*` stands for any value. */
  template: Bytes;
  keys: number;
  sampled: number;
  examples: Bytes[];
  withTtl: number;
  /** Of `withTtl`, those that live an hour at most. */
  shortLived: number;
  types: Set<string>;
  contended: number;
  /** By format; `count` of the sampled keys fit. */
  fits: Map<string, Fit & { count: number }>;
}

/** Beyond these a class is not told apart from others; its keys count, and are not read. */
const MAX_CLASSES = 50_000;
const SAMPLES_PER_CLASS = 5;
export const EXAMPLES = 3;

/** Which kinds of keys there are, with some of each to be read. */
export interface ClassBook {
  readonly size: number;
  /** True when the key's value should be read, too. */
  count: (key: Bytes) => boolean;
  /** The class of a key; of one that was not counted, it is made. Undefined where there are too many. */
  of: (key: Bytes) => KeyClass | undefined;
  all: () => Iterable<KeyClass>;
}

export function createClassBook(): ClassBook {
  const classes = new Map<Bytes, KeyClass & { wanted: number }>();
  const classOf = (key: Bytes): (KeyClass & { wanted: number }) | undefined => {
    const template = classTemplate(key);
    const known = classes.get(template);
    if (known || classes.size >= MAX_CLASSES) return known;
    const made = { ...emptyClass(template), wanted: 0 };
    classes.set(template, made);
    return made;
  };
  return {
    get size() {
      return classes.size;
    },
    count: (key) => {
      const known = classOf(key);
      if (!known) return false;
      known.keys++;
      if (known.wanted >= SAMPLES_PER_CLASS) return false;
      known.wanted++;
      return true;
    },
    of: classOf,
    all: () => classes.values(),
  };
}

export const emptyClass = (template: Bytes): KeyClass => ({
  template,
  keys: 0,
  sampled: 0,
  examples: [],
  withTtl: 0,
  shortLived: 0,
  types: new Set(),
  contended: 0,
  fits: new Map(),
});
