import type { QueryName } from '@/lib/protocol/queries';

/** Queries that add up history. Each gives the event loop back every millisecond: a hundred of them keep it for 100 ms. */
const LONG_QUERIES: ReadonlySet<string> = new Set<QueryName>([
  'classes',
  'heatmap',
  'heat-cell',
  'waits',
  'blame',
  'past',
  'past-lock',
  'advice',
]);
const MOST_AT_ONCE = 3;

/** Runs the long queries of one asker a few at a time, in the order in which they came; all others at once. */
export type FewAtOnce = <T>(
  asked: { query: string; by: string },
  run: () => Promise<T>,
) => Promise<T>;

export function createFewAtOnce(): FewAtOnce {
  const askers = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async ({ query, by }, run) => {
    if (!LONG_QUERIES.has(query)) return await run();
    const asker = askers.get(by) ?? { running: 0, waiting: [] };
    askers.set(by, asker);
    if (asker.running < MOST_AT_ONCE) asker.running += 1;
    // Whoever ends hands its place over.
    else await new Promise<void>((resolve) => asker.waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = asker.waiting.shift();
      if (next) next();
      else asker.running -= 1;
      if (asker.running === 0) askers.delete(by);
    }
  };
}
