import { expect, it } from 'vitest';
import { createStore } from '@/server/store/store';
import type { NoticeRow } from '@/server/store/store-contract';
import { anAlert } from '@/test/server/notify/notifier-under-test';
import { until } from '@/test/support/until';
import { onBoth } from './store-under-test';

const MONTH_MS = 31 * 86_400_000;

const aNotice = (id: string, over: Partial<NoticeRow> = {}): NoticeRow => ({
  id,
  alert: 'a',
  channel: 'ops',
  at: 1000,
  dueAt: 1000,
  value: { attempts: 0 },
  ...over,
});

onBoth('what is to be told', ({ fresh }) => {
  it('is there once, is changed, and is found by what is due, by age and by alert', async () => {
    const store = (await fresh()).open();
    await store.start();
    const first = aNotice('first');
    const long = aNotice('x'.repeat(500), { at: 3000, alert: 'y'.repeat(500) });
    await store.addNotices([first, aNotice('second', { at: 2000 }), long]);
    await store.addNotices([aNotice('first', { value: { attempts: 99 } })]);
    expect(await store.dueNotices(10)).toEqual([first, aNotice('second', { at: 2000 }), long]);
    const told = { ...first, dueAt: null, value: { attempts: 1 } };
    await store.saveNotices([told]);
    expect((await store.dueNotices(1)).map(({ id }) => id)).toEqual(['second']);
    expect((await store.newestNotices(2)).map(({ at }) => at)).toEqual([3000, 2000]);
    expect((await store.noticesOfAlerts(['a', 'nobody'])).map(({ id }) => id)).toEqual([
      'first',
      'second',
    ]);
    await store.removeNotices(['second', 'nobody']);
    expect(await store.noticesOfAlerts(['a'])).toEqual([told]);
  });

  it('is forgotten a month after it was told, while its alert is not open', async () => {
    const spot = await fresh();
    const written = spot.open();
    await written.start();
    const done = { dueAt: null };
    await written.addNotices([
      aNotice('over', done),
      aNotice('open', { ...done, alert: 'open' }),
      aNotice('waits'),
      aNotice('test', { ...done, alert: null }),
      aNotice('young', { ...done, at: MONTH_MS }),
    ]);
    await written.saveAlerts([anAlert('open'), anAlert('a', { state: 'resolved' })]);
    await written.stop();
    const { databaseUrl, dataDir } = spot;
    const store = createStore({ databaseUrl, dataDir, now: () => MONTH_MS });
    await store.start();
    try {
      const left = await until('it is tidied', async () => {
        const ids = (await store.newestNotices(10)).map(({ id }) => id);
        return ids.length <= 3 ? ids.toSorted() : undefined;
      });
      expect(left).toEqual(['open', 'waits', 'young']);
    } finally {
      await store.stop();
    }
  });
});
