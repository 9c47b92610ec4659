import { describe, expect, it } from 'vitest';
import { toBase64Url } from '@/lib/protocol/bytes';
import { createAlertBook } from '@/server/alerts';
import { createAnalysis } from '@/server/analysers';
import { createLabels } from '@/server/alerts/labels';
import type { Finding } from '@/server/analysers/finding';
import {
  aFinding,
  aHold,
  aLock,
  anEndedHold,
  anOwner,
  aTable,
  aTarget,
  START,
} from '@/test/support/records';

const lock = (key: string, owner: string, over: { class?: string; app?: string } = {}) =>
  aLock(key, {
    class: over.class ?? 'inv:*',
    namespace: 'inv',
    hold: aHold(owner, { owner: { ...anOwner(owner), app: over.app ?? null, host: 'h1' } }),
  });

const about = (...keys: string[]): Finding => ({
  ...aFinding(keys.join()),
  subject: {
    kind: 'locks',
    label: keys.join(),
    locks: keys.map((key) => ({ db: 0, key, keyB64: toBase64Url(key) })),
    deadlockId: null,
  },
});

describe('the labels of an alert', () => {
  it('are read off its lock: class, namespace, owner, and the service before the host', () => {
    const labelsOf = createLabels(
      aTable([lock('inv:1', 'A', { app: 'shop' }), lock('inv:2', 'B')]),
    );
    expect(labelsOf(about('inv:1'))).toEqual({
      ...{ class: 'inv:*', namespace: 'inv', owner: 'A', node: 'shop' },
    });
    expect(labelsOf(about('inv:2'))).toMatchObject({ owner: 'B', node: 'h1' });
  });

  it('of several locks are what they share', () => {
    const locks = [lock('inv:1', 'A'), lock('inv:2', 'A'), lock('x', 'A', { class: 'x' })];
    const labelsOf = createLabels(aTable(locks));
    expect(labelsOf(about('inv:1', 'inv:2'))).toMatchObject({ class: 'inv:*', owner: 'A' });
    expect(labelsOf(about('inv:1', 'x'))).toMatchObject({ class: null, namespace: 'inv' });
  });

  it('are none of a lock that nobody knows, but for what the finding says itself', () => {
    const labelsOf = createLabels(aTable([]));
    expect(labelsOf({ ...about('gone'), labels: { owner: 'C' } })).toEqual({
      ...{ class: null, namespace: null, owner: 'C', node: null },
    });
  });

  it('come when the holder is named, and stay when the lock is forgotten', () => {
    const unnamed = aLock('inv:1', { class: 'inv:*', hold: aHold('', { owner: null }) });
    let table = aTable([unnamed]);
    const labelsOf = createLabels({ get: (db, key) => table.get(db, key) });
    const book = createAlertBook({ target: 'main', labelsOf });
    book.update([about('inv:1')], START);
    expect(book.open()[0]?.labels).toMatchObject({ class: 'inv:*', owner: null });
    table = aTable([lock('inv:1', 'A')]);
    book.update([about('inv:1')], START + 250);
    expect(book.open()[0]?.labels).toMatchObject({ owner: 'A', node: 'h1' });
    table = aTable([]);
    book.update([{ ...about('inv:1'), severity: 'critical' }], START + 500);
    expect(book.open()[0]?.labels).toMatchObject({ class: 'inv:*', owner: 'A', node: 'h1' });
  });

  it('of a moment name whose hold it was, not who holds the lock now', () => {
    const taken = lock('inv:1', 'B');
    const before = anEndedHold('A', {
      ...{ end: START, endReason: 'overwritten', endedBy: 'B' },
      owner: { ...anOwner('A'), app: 'shop' },
    });
    const analysis = createAnalysis({ longHoldMs: 60_000, noExpiryMs: 30_000 });
    analysis.observe([{ kind: 'hold-ended', at: START, lock: taken, hold: before }]);
    const table = aTable([taken]);
    const [found] = analysis.findings(table, aTarget(), START);
    if (!found) throw new Error('a takeover is expected');
    expect(createLabels(table)(found)).toEqual({
      ...{ class: 'inv:*', namespace: 'inv', owner: 'A', node: 'shop' },
    });
  });
});
