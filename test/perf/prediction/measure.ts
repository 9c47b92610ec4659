import { createRandom } from '@/test/support/lock-fleet/random';
import { KINDS, wild } from './kinds';
import { watchRuns, type Sight } from './play';
import type { Program } from './program';
import { chainName, deadlocksOf } from './truth';

/** Of chains of classes: those that were told and are true, told and are not, true and not told. */
export interface Score {
  right: number;
  wrong: number;
  missed: number;
}

export interface Judged {
  program: Program;
  /** Chains in which it can come to a standstill. */
  real: ReadonlySet<string>;
  told: ReadonlySet<string>;
}

export const precisionOf = ({ right, wrong }: Score): number => right / Math.max(1, right + wrong);
export const recallOf = ({ right, missed }: Score): number => right / Math.max(1, right + missed);

/** So often a program runs under the eyes of the learner. */
const RUNS = 20;

/** Programs of every kind in turn, the same ones for the same seed, each with what is true and what is told of it. */
export function judgePrograms({
  programs,
  seed,
  ...sight
}: Sight & { programs: number; seed: number }) {
  return Array.from({ length: programs }, (_, i): Judged => {
    const random = createRandom(seed + i);
    const program = (KINDS[i % KINDS.length] ?? wild)(random);
    const told = watchRuns(program, { ...sight, runs: RUNS, random });
    return {
      program,
      real: deadlocksOf(program),
      told: new Set(told.map(({ classes }) => chainName(classes))),
    };
  });
}

export function scoreOf(judged: readonly Judged[]): Score {
  const score = { right: 0, wrong: 0, missed: 0 };
  for (const { real, told } of judged) {
    for (const chain of told) if (real.has(chain)) score.right += 1;
    for (const chain of told) if (!real.has(chain)) score.wrong += 1;
    for (const chain of real) if (!told.has(chain)) score.missed += 1;
  }
  return score;
}
