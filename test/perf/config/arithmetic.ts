import type { Figures } from '@/test/perf/figures';

const MILLION = 1_000_000;

/** What was measured on one machine. */
interface Measured {
  /** Readers with a subscription each that one Redis served. */
  readers: number;
  /** Replicas that one Redis fed. */
  fanOut: number;
  /** From asking for a change until those readers had it, p99. */
  updatedMs: number;
  /** From one Redis to its replica, p99. */
  hopMs: number;
}

/**
 * A million processes with a subscription each, below a tree of replicas: as many leaves as the readers that
 * one Redis served go into a million, as many levels as the fan-out needs to reach them. All leaves serve at the
 * same time; so a change takes what it took here, and a hop for each level.
 */
export function arithmetic({ readers, fanOut, updatedMs, hopMs }: Measured): Figures {
  const leaves = Math.ceil(MILLION / readers);
  const levels = Math.ceil(Math.log(leaves) / Math.log(fanOut) - 1e-9);
  return {
    'config.arithmetic.leaves': leaves,
    'config.arithmetic.levels': levels,
    'config.arithmetic.millionReadersMs': updatedMs + levels * hopMs,
  };
}
