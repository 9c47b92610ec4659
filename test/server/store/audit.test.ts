import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { CHAIN_START, canonicalJson } from '@/server/store/audit-chain';
import { anAuditDraft } from './samples';
import { onBoth, type Spot } from './store-under-test';

const UNLOCK = {
  sqlite: ['drop trigger audit_no_update', 'drop trigger audit_no_delete'],
  postgres: ['alter table audit disable trigger user'],
};

onBoth('audit', (place) => {
  const withEntries = async (
    count: number,
  ): Promise<{ spot: Spot; store: ReturnType<Spot['open']> }> => {
    const spot = await place.fresh();
    const store = spot.open();
    await store.start();
    for (let i = 0; i < count; i++) {
      await store.appendAudit(anAuditDraft({ at: 1000 + i, requestId: `r-${i}` }));
    }
    return { spot, store };
  };

  it('chains every entry to the one before, as anybody can recompute', async () => {
    const { store } = await withEntries(3);
    const { items } = await store.audit({ limit: 10 });
    expect(items.map(({ seq }) => seq)).toEqual([3, 2, 1]);
    let previous = CHAIN_START;
    for (const { prevHash, hash, ...entry } of items.toReversed()) {
      expect(prevHash).toBe(previous);
      expect(hash).toBe(
        createHash('sha256')
          .update(prevHash + canonicalJson(entry))
          .digest('hex'),
      );
      previous = hash;
    }
    expect(await store.verifyAudit()).toEqual({ entries: 3, brokenAt: null });
  });

  it('appends from many callers and two processes without a fork', async () => {
    const { spot, store } = await withEntries(0);
    const other = spot.open();
    await other.start();
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? store : other).appendAudit(anAuditDraft())),
    );
    expect(await store.verifyAudit()).toEqual({ entries: 40, brokenAt: null });
  });

  it('pages, and filters by time, actor and key', async () => {
    const { store } = await withEntries(5);
    await store.appendAudit(
      anAuditDraft({ at: 9000, actor: 'ben\0', key: '\x00\xff', before: undefined }),
    );
    const first = await store.audit({ limit: 4 });
    expect(first.items.map(({ seq }) => seq)).toEqual([6, 5, 4, 3]);
    const second = await store.audit({ limit: 4, cursor: first.cursor ?? '' });
    expect(second.items.map(({ seq }) => seq)).toEqual([2, 1]);
    expect(second.cursor).toBeNull();
    expect((await store.audit({ limit: 9, from: 1003, to: 9000 })).items).toHaveLength(2);
    const [byKey] = (await store.audit({ limit: 9, key: '\\x00\\xff' })).items;
    expect(byKey).toMatchObject({ actor: 'ben\0', keyB64: 'AP8', before: null });
    expect((await store.audit({ limit: 9, actor: 'ben\0' })).items).toHaveLength(1);
    await expect(store.audit({ limit: 1, cursor: 'x' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('cannot be changed or deleted with plain statements', async () => {
    const { spot } = await withEntries(2);
    await expect(spot.behind(`update audit set actor = 'eve'`)).rejects.toThrow('append-only');
    await expect(spot.behind('delete from audit')).rejects.toThrow('append-only');
  });

  it.each([
    ['a changed entry', 4, `update audit set entry = replace(entry, 'noon', 'dawn') where seq = 4`],
    ['a changed search column', 2, `update audit set actor = 'eve' where seq = 2`],
    ['a removed entry', 3, 'delete from audit where seq = 3'],
    ['entries cut off at the end', 5, 'delete from audit where seq >= 5'],
  ])('finds %s', async (_, brokenAt, tampering) => {
    const { spot, store } = await withEntries(6);
    await spot.behind(...UNLOCK[place.kind], tampering);
    expect((await store.verifyAudit()).brokenAt).toBe(brokenAt);
  });
});
