import { describe, expect, it } from 'vitest';
import { scenes, type ScenePage } from '@/components/gallery/scenes';
import { isRecord } from '@/lib/protocol/errors';
import { QUERIES, type QueryName } from '@/lib/protocol/queries';

const NOW = Date.UTC(2026, 0, 15, 12);
const PAGES: ScenePage[] = [
  ...(['locks', 'overview', 'heatmap', 'waits', 'blame', 'advice', 'traces', 'deadlocks'] as const),
  ...(['alerts', 'audit', 'libraries', 'targets', 'settings'] as const),
];
const STATES = ['loading', 'stale', 'lost'];
/** The overview is never sent more than a few of anything. */
const MANY = PAGES.filter((page) => page !== 'overview').map((page) => `${page}-many`);

describe('the gallery', () => {
  it('shows every page without an answer, cut off, without Redis, and with too much', () => {
    const wanted = [...PAGES.flatMap((page) => STATES.map((state) => `${page}-${state}`)), ...MANY];
    expect(Object.keys(scenes(NOW))).toEqual(expect.arrayContaining(wanted));
  });

  it('has answers that the server could give', () => {
    const wrong: string[] = [];
    for (const [name, { queries }] of Object.entries(scenes(NOW))) {
      for (const [query, answer] of Object.entries(queries)) {
        const data = answer(query === 'locks' ? {} : undefined);
        if (isRecord(data) && 'error' in data) continue;
        const parsed = QUERIES[query as QueryName].result.safeParse(data);
        if (!parsed.success) wrong.push(`${name}: ${query}: ${parsed.error.issues[0]?.message}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
