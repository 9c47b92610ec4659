import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { ConfigurationPage, TimeoutsPage } from '@/lib/protocol/advice';
import type { AdvicePage } from '@/lib/protocol/measures';
import type { ClassSum } from './class-sums';

/** An hour's advice is not another one a moment later. */
const REMEMBERED_MS = 10_000;
/** Nor is what is usual in a week another after some minutes, and it costs most. */
const WEEK_REMEMBERED_MS = 5 * 60_000;
/** Ranges that are asked for side by side. */
const MAX_REMEMBERED = 20;

/** Answers of the last seconds, so that whoever asks meanwhile costs no second computation. */
export interface AnswerMemory<T> {
  /** The answer of that name, `compute`d where no recent one is known. Rejects as `compute` does. */
  get: (name: string, now: number, compute: () => Promise<T>) => Promise<T>;
  /** Something was done by which all are others. */
  forget: () => void;
  /** Another number after each `forget`. */
  readonly version: number;
}

function createAnswerMemory<T>(rememberedMs: number): AnswerMemory<T> {
  const answers = new Map<string, { at: number; answer: Promise<T> }>();
  let version = 0;
  return {
    get: (name, now, compute) => {
      const known = answers.get(name);
      if (known && now - known.at < rememberedMs) return known.answer;
      const answer = compute();
      answers.delete(name);
      answers.set(name, { at: now, answer });
      dropOldest(answers, MAX_REMEMBERED);
      answer.catch(() => {
        // The next who asks tries again; whoever asked now is told.
        if (answers.get(name)?.answer === answer) answers.delete(name);
      });
      return answer;
    },
    forget: () => {
      answers.clear();
      version += 1;
    },
    get version() {
      return version;
    },
  };
}

export interface AdviceMemory {
  contention: AnswerMemory<AdvicePage>;
  timeouts: AnswerMemory<TimeoutsPage>;
  /** What each class did in the last seven days. */
  week: AnswerMemory<ClassSum[]>;
  configuration: AnswerMemory<ConfigurationPage>;
}

export const createAdviceMemory = (): AdviceMemory => ({
  contention: createAnswerMemory(REMEMBERED_MS),
  timeouts: createAnswerMemory(REMEMBERED_MS),
  week: createAnswerMemory(WEEK_REMEMBERED_MS),
  configuration: createAnswerMemory(REMEMBERED_MS),
});
