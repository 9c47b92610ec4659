import { describe, expect, it } from 'vitest';
import { storeFindings } from '@/server/store/health-finding';
import type { StoreHealth } from '@/server/store/store-contract';
import { inWords } from '@/test/support/records';

const health = (over: Partial<StoreHealth>): StoreHealth => ({
  ok: false,
  problem: 'The disk is full.',
  kind: 'sqlite',
  since: 1_000,
  diskBytes: null,
  ...over,
});

describe('a store that cannot be written', () => {
  it('is a critical finding with its problem, one incident while it lasts', () => {
    const [first] = inWords(storeFindings({ health: health({}), lostRows: 0 }, 'main', 4_000));
    const [later] = inWords(storeFindings({ health: health({}), lostRows: 7 }, 'main', 9_000));
    expect(first).toMatchObject({ code: 'store-broken', severity: 'critical', since: 1_000 });
    expect(first?.summary).toContain('The disk is full.');
    expect(later?.summary).toContain('7 rows');
    expect(later?.id).toBe(first?.id);
  });

  it('is no finding when it is well', () => {
    const well = health({ ok: true, problem: null });
    expect(storeFindings({ health: well, lostRows: 0 }, 'main', 4_000)).toEqual([]);
  });
});
