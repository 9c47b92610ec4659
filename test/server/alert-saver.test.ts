import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import type { Alert } from '@/lib/protocol/alert';
import { createAlertSaver } from '@/server/alert-saver';
import { alertsToRestore } from '@/server/alerts-read-back';
import { createAlertBook } from '@/server/alerts';
import { cleanUp, newDir, openStore } from '@/test/server/store/store-under-test';
import { aFinding, START } from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

afterEach(cleanUp);

async function started() {
  const dataDir = await newDir();
  const store = openStore({ databaseUrl: null, dataDir, now: () => START });
  await store.start();
  return { store, dataDir };
}

it('nobody ever sees an alert in the store without its line', async () => {
  const { store: kept, dataDir } = await started();
  const alerts = createAlertBook({ target: 'main' });
  const saver = createAlertSaver({ alerts, store: kept, gone: () => {} });
  const db = new Database(join(dataDir, 'lockscope.db'), { readonly: true });
  const untold = db.prepare(
    `select count(*) as n from alerts where not exists
       (select 1 from alert_events where alert_events.alert_digest = alerts.digest)`,
  );
  const seen = new Set<unknown>();
  for (let i = 0; i < 100; i += 1) {
    const findings = Array.from({ length: i + 1 }, (_, n) => aFinding(`f${n}`));
    saver.add(alerts.update(findings, START + i));
    let isDone = false;
    const saved = saver.flush().then(() => (isDone = true));
    while (!isDone) {
      seen.add(JSON.stringify(untold.get()));
      await new Promise(setImmediate);
    }
    await saved;
  }
  db.close();
  expect([...seen]).toEqual(['{"n":0}']);
  expect(alerts.unsavedEvents()).toEqual([]);
  expect(await kept.alerts({ state: 'open', limit: 1000 })).toHaveLength(100);
});

it('what somebody did while the store was broken is saved with its line once it is well', async () => {
  const { store: kept } = await started();
  const alerts = createAlertBook({ target: 'main' });
  const saver = createAlertSaver({ alerts, store: kept, gone: () => {} });
  saver.add(alerts.update([aFinding('a')], START));
  await saver.flush();
  const { id } = alerts.acknowledge(alerts.open()[0]?.id ?? '', 'ada', 'seen', START + SECOND);
  saver.add(alerts.update([aFinding('a')], START + 2 * SECOND));
  await saver.flush();
  expect(await kept.alert(id)).toMatchObject({ state: 'acknowledged', acknowledgedBy: 'ada' });
  const lines = await kept.alertEvents({ alert: id, limit: 9 });
  expect(lines.map(({ kind }) => kind)).toEqual(['fired', 'acknowledged']);
});

it('of alerts that came and went while the store was broken, the oldest are given up beyond a bound, and told', async () => {
  const { store: kept } = await started();
  const alerts = createAlertBook({ target: 'main' });
  const lost: Alert[] = [];
  let isBroken = false;
  const store = {
    saveAlerts: (...saved: Parameters<typeof kept.saveAlerts>) =>
      isBroken ? Promise.reject(new Error('broken')) : kept.saveAlerts(...saved),
  };
  const gone = (items: readonly Alert[]) => void lost.push(...items);
  const saver = createAlertSaver({ alerts, store, gone, most: 20 });
  saver.add(alerts.update([aFinding('saved')], START));
  await saver.flush();
  isBroken = true;
  const lasting = aFinding('lasting');
  for (let i = 0; i < 30; i++) {
    const since = START + (2 * i + 1) * MINUTE;
    saver.add(alerts.update([aFinding(`f${i}`, { since }), lasting], since));
    saver.add(alerts.update([lasting], since + MINUTE));
  }
  await expect(saver.flush()).rejects.toThrow('broken');
  expect(lost.length).toBeGreaterThan(0);
  const lostIds = new Set(lost.map(({ id }) => id));
  expect(alerts.unsavedEvents().filter(({ alert }) => lostIds.has(alert))).toEqual([]);
  isBroken = false;
  await saver.flush();
  const resolved = await kept.alerts({ state: 'resolved', limit: 100 });
  expect(resolved.length).toBeLessThanOrEqual(20);
  expect(resolved.length + lost.length).toBe(31);
  const times = resolved.map(({ since }) => since).toSorted((a, b) => a - b);
  expect(Math.max(...lost.map(({ since }) => since))).toBeLessThan(times[1] ?? 0);
  // What the store had open is not left so.
  expect(times[0]).toBe(START);
  const open = await kept.alerts({ state: 'open', limit: 100 });
  expect(open.map(({ id }) => id)).toEqual(alerts.open().map(({ id }) => id));
});

it('an alert that resolved right before the console was killed is acknowledged again when it returns', async () => {
  const { store: kept } = await started();
  const alerts = createAlertBook({ target: 'main' });
  const saver = createAlertSaver({ alerts, store: kept, gone: () => {} });
  await kept.markAlive('main', START + 10 * SECOND);
  saver.add(alerts.update([aFinding('a')], START));
  const { id } = alerts.acknowledge(alerts.open()[0]?.id ?? '', 'ada', 'seen', START + SECOND);
  saver.add(alerts.update([], START + 5 * SECOND));
  await saver.flush();

  const restartedAt = START + MINUTE;
  const again = createAlertBook({ target: 'main' });
  again.restore(await alertsToRestore(kept, 'main', restartedAt));
  again.update([aFinding('a', { since: restartedAt })], restartedAt);
  expect(again.open()).toMatchObject([{ id, state: 'acknowledged', acknowledgedBy: 'ada' }]);

  const long = START + 11 * MINUTE;
  expect(await alertsToRestore(kept, 'main', long)).toEqual([]);
  await kept.markAlive('main', START + 40 * SECOND);
  expect(await alertsToRestore(kept, 'main', restartedAt)).toEqual([]);
});
