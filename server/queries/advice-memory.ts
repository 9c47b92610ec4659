import type { AdvicePage } from '@/lib/protocol/measures';

/** An hour's advice is not another one a moment later. */
const REMEMBERED_MS = 10_000;
/** Ranges that are asked for side by side. */
const MAX_REMEMBERED = 20;

/** Answers of the last seconds, so that whoever asks meanwhile costs no second replay. */
export interface AdviceMemory {
  /** The answer of that name, `compute`d where none of the last ten seconds is known. Rejects as `compute` does. */
  get: (name: string, now: number, compute: () => Promise<AdvicePage>) => Promise<AdvicePage>;
}

export function createAdviceMemory(): AdviceMemory {
  const answers = new Map<string, { at: number; page: Promise<AdvicePage> }>();
  return {
    get: (name, now, compute) => {
      const known = answers.get(name);
      if (known && now - known.at < REMEMBERED_MS) return known.page;
      const page = compute();
      answers.delete(name);
      answers.set(name, { at: now, page });
      const [oldest] = answers.keys();
      if (answers.size > MAX_REMEMBERED && oldest !== undefined) answers.delete(oldest);
      page.catch(() => {
        // The next who asks tries again; whoever asked now is told.
        if (answers.get(name)?.page === page) answers.delete(name);
      });
      return page;
    },
  };
}
