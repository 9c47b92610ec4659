import type { FormatTable } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import { CANARY_PREFIX } from './canary';
import { MAX_PATTERNS, planKeyPatterns } from './key-patterns';
import { OWN_KEY_PREFIXES } from './own-keys';

/** Which keys are asked for: those of the formats, our own, and what the operator's patterns say. */
export interface PatternPlan {
  /** The operator's patterns from now on. */
  set: (patterns: readonly Bytes[]) => void;
  /** At most so many globs that together match all that is asked for. */
  globs: (limit?: number) => Bytes[];
}

export function createPatternPlan(options: {
  formats: FormatTable;
  /** The operator's at first. */
  patterns: readonly Bytes[];
  everything: boolean;
}): PatternPlan {
  const { formats, everything } = options;
  const prefixes = [...formats.watchedPrefixes, CANARY_PREFIX, ...OWN_KEY_PREFIXES];
  let { patterns } = options;
  /** By limit: a plan is asked for at every step of a sweep, and takes a while to make. */
  const made = new Map<number, Bytes[]>();
  return {
    set: (next) => {
      patterns = next;
      made.clear();
    },
    globs: (limit = MAX_PATTERNS) => {
      const known = made.get(limit);
      if (known) return known;
      const plan = planKeyPatterns({ prefixes, globs: patterns, everything }, limit);
      made.set(limit, plan);
      return plan;
    },
  };
}
