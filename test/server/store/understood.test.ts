import { expect, it } from 'vitest';
import { NO_LABELS } from '@/server/alerts/labels';
import { recordsOf, newNotice, rowOf } from '@/server/notify/notice-record';
import type { Alert } from '@/lib/protocol/alert';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { onBoth } from './store-under-test';

const anAlert = (id: string): Alert => ({
  ...{ id, code: 'long-hold', severity: 'warning', state: 'firing', target: 'main' },
  subject: { kind: 'lock', label: 'order', locks: [], deadlockId: null },
  ...{ summary: 'held 47 min', remedy: 'look', count: 1, evidence: 'observed' },
  ...{ since: 1000, updatedAt: 2000, resolvedAt: null, labels: NO_LABELS },
  ...{ acknowledgedBy: null, acknowledgedReason: null, silencedUntil: null },
});

const aDeadlock = (id: string): Deadlock => ({
  ...{ id, state: 'confirmed', target: 'main', cycle: [], since: 10 },
  ...{ resolvedAt: null, evidence: 'observed' },
});

onBoth('what a later version has written', (place) => {
  it('is left out and stays, and everything else is told', async () => {
    const { open, behind } = await place.fresh();
    const store = open();
    await store.start();
    const event = { alert: 'a', kind: 'fired', actor: null, evidence: 'observed' } as const;
    await store.saveAlerts(
      [anAlert('a'), anAlert('b')],
      [
        { ...event, at: 1, text: 'known' },
        { ...event, at: 2, text: 'unknown' },
      ],
    );
    await store.saveDeadlock(aDeadlock('a'));
    await store.saveDeadlock(aDeadlock('b'));
    await store.writeGap('main', { from: 100, to: 200, reason: 'connection-lost' });
    await store.stop();
    await behind(
      `update alerts set json = replace(json, 'long-hold', 'of-the-future') where json like '%"id":"b"%'`,
      `update alert_events set json = replace(json, '"fired"', '"forgiven"') where at = 2`,
      `update deadlocks set json = replace(json, 'confirmed', 'imagined') where json like '%"id":"b"%'`,
      `update gaps set reason = 'slept'`,
    );
    const again = open();
    await again.start();
    const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
    expect(ids(await again.alerts({ state: 'open', limit: 9 }))).toEqual(['a']);
    expect(await again.alert('b')).toBeNull();
    const events = await again.alertEvents({ alert: 'a', limit: 9 });
    expect(events.map(({ text }) => text)).toEqual(['known']);
    expect(ids(await again.deadlocks({ limit: 9 }))).toEqual(['a']);
    expect(ids(await again.deadlocks({ at: 50, limit: 9 }))).toEqual(['a']);
    // That time was not watched, whatever it is called.
    expect(await again.gaps({ target: 'main', from: 0, to: 1000 })).toEqual([
      { target: 'main', from: 100, to: 200, reason: 'not-written' },
    ]);
    await again.stop();
    await behind(`update alerts set json = replace(json, 'of-the-future', 'long-hold')`);
    const third = open();
    await third.start();
    expect(ids(await third.alerts({ state: 'open', limit: 9 })).toSorted()).toEqual(['a', 'b']);
  });
});

it('a notice of a later version waits for that version', async () => {
  const notice = (id: string) =>
    newNotice({
      ...{ target: 'main', channel: { id: 'c', name: 'C' }, event: 'firing', since: 1000 },
      ...{ alert: anAlert(id), now: 1 },
    });
  const [known, other] = [rowOf(notice('a')), rowOf(notice('b'))];
  const foreign = { ...other, value: { ...notice('b'), event: 'forgiven' } };
  expect((await recordsOf([known, foreign])).map(({ id }) => id)).toEqual([known.id]);
});
