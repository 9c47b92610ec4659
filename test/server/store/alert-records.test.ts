import { expect, it } from 'vitest';
import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import { until } from '@/test/support/until';
import { aHold } from './samples';
import { onBoth, type Place } from './store-under-test';

const DAY_MS = 24 * 3_600_000;
/** Tidying is done in the background, after everything else. */
const TIDIED_WITHIN_MS = 90_000;

const anAlert = (id: string, over: Partial<Alert> = {}): Alert => ({
  ...{ id, code: 'long-hold', severity: 'warning', state: 'resolved', target: 'main' },
  subject: { kind: 'lock', label: 'order\0sync', locks: [], deadlockId: null },
  ...{ summary: 'held 47 min', remedy: 'look', count: 1, evidence: 'observed' },
  ...{ since: 1000, updatedAt: 2000, resolvedAt: 2000 },
  ...{ acknowledgedBy: null, acknowledgedReason: null, silencedUntil: null },
  ...over,
});

const anEvent = (at: number, over: Partial<AlertEvent> = {}): AlertEvent => ({
  ...{ alert: 'a', at, kind: 'fired', actor: null, text: `at ${at} \0`, evidence: 'observed' },
  ...over,
});

const opened = async (place: Place) => {
  const spot = await place.fresh();
  const store = spot.open();
  await store.start();
  return { spot, store };
};

onBoth('what is kept of alerts', (place) => {
  it('is found by id, whatever is in it, with all that makes its life', async () => {
    const { spot, store } = await opened(place);
    const id = `${'long '.repeat(2000)}\0'`;
    const alert = anAlert(id, {
      ...{ state: 'pending', resolvedAt: null, firesAt: 9000, keptUntil: null, flaps: 3 },
      ...{ silenceId: null, partOf: 'd', doubtful: { code: 'blind', since: 5 } },
      labels: { class: 'order:*', namespace: 'order', owner: null, node: 'shop' },
    });
    await store.saveAlerts([alert]);
    await store.stop();
    const again = spot.open();
    await again.start();
    expect(await again.alert(id)).toEqual(alert);
    expect(await again.alert('other')).toBeNull();
    expect(await again.alerts({ state: 'open', limit: 9 })).toEqual([alert]);
  });

  it('is read page by page, the most recently changed first, and from a time on', async () => {
    const { store } = await opened(place);
    const all = [1, 2, 3, 4, 5].map((i) => anAlert(`${i}`, { updatedAt: i * 1000 }));
    await store.saveAlerts(all);
    const ids = async (query: Parameters<typeof store.alerts>[0]) =>
      (await store.alerts(query)).map(({ id }) => id);
    expect(await ids({ limit: 2 })).toEqual(['5', '4']);
    expect(await ids({ limit: 2, skip: 2 })).toEqual(['3', '2']);
    expect(await ids({ limit: 9, skip: 1, from: 3000 })).toEqual(['4', '3']);
    expect(await ids({ limit: 9, code: 'no-expiry' })).toEqual([]);
  });

  it('is its timeline, oldest first, once each however often it is saved', async () => {
    const { store } = await opened(place);
    const events = [anEvent(3), anEvent(1), anEvent(2), anEvent(2, { kind: 'changed' })];
    await store.saveAlertEvents([...events, anEvent(2, { alert: 'b' })]);
    await store.saveAlertEvents(events);
    await store.saveAlertEvents([]);
    const read = await store.alertEvents({ alert: 'a', limit: 9 });
    expect(read.map(({ at }) => at)).toEqual([1, 2, 2, 3]);
    expect(read).toEqual(expect.arrayContaining(events));
    const newest = await store.alertEvents({ alert: 'a', limit: 1 });
    expect(newest).toEqual([anEvent(3)]);
  });

  it('is written with the lines of its timeline or not at all', async () => {
    const { store } = await opened(place);
    await store.saveAlerts([anAlert('a')], [anEvent(1), anEvent(2)]);
    expect(await store.alertEvents({ alert: 'a', limit: 9 })).toHaveLength(2);
    const broken = anEvent(Number.NaN, { alert: 'b' });
    await expect(store.saveAlerts([anAlert('b')], [broken])).rejects.toThrow();
    expect(await store.alert('b')).toBeNull();
    await store.saveAlerts([], [anEvent(3)]);
    expect(await store.alertEvents({ alert: 'a', limit: 9 })).toHaveLength(3);
  });

  it('is as it was saved last, also where calls are made at once', async () => {
    const { store } = await opened(place);
    const states = Array.from({ length: 20 }, (_, i) => anAlert('a', { count: i }));
    await Promise.all(states.map((alert) => store.saveAlerts([alert])));
    expect(await store.alert('a')).toMatchObject({ count: 19 });
  });

  it('is dropped after ninety days, but for what is still open', async () => {
    const { spot, store } = await opened(place);
    const open = anAlert('open', { state: 'acknowledged', resolvedAt: null });
    const young = anAlert('young', { updatedAt: 50 * DAY_MS });
    await store.saveAlerts([anAlert('old'), open, young]);
    await store.saveAlertEvents([anEvent(2000), anEvent(50 * DAY_MS)]);
    await store.stop();
    const later = spot.open(() => 100 * DAY_MS);
    await later.start();
    // Something to tidy wakes the background work at once.
    await later.writeHolds([aHold()]);
    const left = await until(
      'two are left',
      async () => {
        const alerts = await later.alerts({ limit: 9 });
        return alerts.length === 2 && alerts;
      },
      TIDIED_WITHIN_MS,
    );
    expect(left).toEqual([young, open]);
    await until(
      'one line is left',
      async () => (await later.alertEvents({ alert: 'a', limit: 9 })).length === 1,
      TIDIED_WITHIN_MS,
    );
  });
});

onBoth('what operators set', (place) => {
  it('is kept by kind and id, the longest unchanged first, until it is removed', async () => {
    let now = 1000;
    const spot = await place.fresh();
    const store = spot.open(() => now++);
    await store.start();
    const rule = (id: string, value: unknown) => ({ kind: 'rule', id, value });
    const odd = `long-hold ${'ö\0'.repeat(2000)}`;
    await store.saveDocument(rule('no-expiry', { enabled: false }));
    await store.saveDocument(rule(odd, [1, null, 'x']));
    await store.saveDocument({ kind: 'silence', id: 'no-expiry', value: 1 });
    await store.saveDocument(rule('no-expiry', { enabled: true }));
    await store.stop();
    const again = spot.open(() => now++);
    await again.start();
    expect(await again.documents('rule')).toMatchObject([
      rule(odd, [1, null, 'x']),
      rule('no-expiry', { enabled: true }),
    ]);
    await again.removeDocument('rule', odd);
    await again.removeDocument('rule', 'nothing');
    expect(await again.documents('rule')).toMatchObject([rule('no-expiry', { enabled: true })]);
    expect(await again.documents('silence')).toHaveLength(1);
  });

  it('is not written over by somebody who saw what it was before', async () => {
    const { spot, store } = await opened(place);
    const conflict = expect.objectContaining({ code: 'CONFLICT' });
    const rule = (value: unknown) => ({ kind: 'rule', id: 'a', value });
    const first = await store.saveDocument(rule(1), null);
    await expect(store.saveDocument(rule(2), null)).rejects.toEqual(conflict);
    const other = spot.open();
    await other.start();
    const races = await Promise.allSettled([
      store.saveDocument(rule(3), first),
      store.saveDocument(rule(4), first),
      other.saveDocument(rule(5), first),
    ]);
    const [won, ...others] = races.filter(({ status }) => status === 'fulfilled');
    expect(others).toEqual([]);
    const [kept] = await store.documents('rule');
    expect(won).toMatchObject({ value: kept?.version });
    await expect(store.removeDocument('rule', 'a', first)).rejects.toEqual(conflict);
    await store.removeDocument('rule', 'a', kept?.version);
    await expect(store.removeDocument('rule', 'a', kept?.version)).rejects.toEqual(conflict);
    const again = await store.saveDocument(rule(3), null);
    expect(again).not.toBe(first);
  });

  it('is known to have changed without being read', async () => {
    const { store } = await opened(place);
    const states = async () => [...(await store.documentStates(['rule', 'silence']))];
    const seen = new Set([JSON.stringify(await states())]);
    const save = (kind: string, id: string) => store.saveDocument({ kind, id, value: 1 });
    await save('rule', 'a');
    await save('lock-order', 'a');
    seen.add(JSON.stringify(await states()));
    await save('rule', 'a');
    seen.add(JSON.stringify(await states()));
    await save('silence', 'a');
    seen.add(JSON.stringify(await states()));
    await store.removeDocument('rule', 'a');
    seen.add(JSON.stringify(await states()));
    await store.removeDocument('silence', 'a');
    expect(seen.size).toBe(5);
    expect(await states()).toEqual([]);
  });
});

onBoth('holds that lasted', (place) => {
  it('are told apart from shorter ones, the open ones with them', async () => {
    const { store } = await opened(place);
    const held = (key: string, heldMs: number | null) =>
      aHold({ key, past: { start: 5000, end: heldMs === null ? null : 5000 + heldMs } });
    await store.writeHolds([held('a', 10), held('b', 59_000), held('c', 90_000), held('d', null)]);
    const keys = async (lastedMs: number) =>
      (await store.holds({ from: 0, to: 9000, lastedMs, limit: 9 }))
        .map(({ key }) => key)
        .toSorted();
    expect(await keys(10)).toEqual(['b', 'c', 'd']);
    expect(await keys(60_000)).toEqual(['c', 'd']);
    expect(await keys(90_000)).toEqual(['d']);
  });
});
