import { expect, it } from 'vitest';
import type { Alert } from '@/lib/protocol/alert';
import { createRules } from '@/server/alerts/rules';
import { createNotifier } from '@/server/notify/notifier';
import type { NoticeRow, Store } from '@/server/store/store-contract';
import { freePort } from '@/test/support/free-port';
import { START } from '@/test/support/records';
import { anAlert, aNotifier, aRoute, PUBLIC_URL, resolved, TARGET } from './notifier-under-test';

const ALERTS = 3000;
/** What is made ready for the database at once, so that the event loop is soon given back. */
const AT_ONCE = 500;

/** The store, with how many notices each call was about. */
function counted(store: Store) {
  const sizes: number[] = [];
  const count =
    <T>(call: (rows: readonly T[]) => Promise<void>) =>
    (rows: readonly T[]): Promise<void> => {
      sizes.push(rows.length);
      return call(rows);
    };
  const watched: Store = {
    ...store,
    addNotices: count<NoticeRow>(store.addNotices),
    saveNotices: count<NoticeRow>(store.saveNotices),
    removeNotices: count<string>(store.removeNotices),
  };
  return { sizes, watched };
}

it('thousands of notices for a receiver that is down are kept some at a time, and none twice', async () => {
  const { store, open, clock } = await aNotifier();
  const { sizes, watched } = counted(store);
  const begin = async () => {
    const notifier = createNotifier({
      ...{ store: watched, target: TARGET, publicUrl: PUBLIC_URL, authSecret: 'secret' },
      alerts: { get: (id) => open.get(id), open: () => [...open.values()], version: 1 },
      ...{
        rules: createRules(),
        publish: () => {},
        gaveUp: () => {},
        now: () => clock.at,
        random: () => 0,
      },
    });
    await notifier.start();
    return notifier;
  };
  const first = await begin();
  const url = `http://127.0.0.1:${await freePort()}/`;
  const channel = await first.saveChannel({ name: 'down', settings: { kind: 'webhook', url } });
  await first.saveRoutes([aRoute({ channels: [channel.id] })]);
  const alerts: Alert[] = Array.from({ length: ALERTS }, (_, i) => anAlert(`${i}`));
  for (const alert of alerts) open.set(alert.id, alert);

  // A turn of others in between: the event loop was given back.
  let turns = 0;
  const ticking = setInterval(() => void (turns += 1), 0);
  await first.note(alerts);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(AT_ONCE);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(ALERTS);
  expect(first.channels()[0]?.waiting).toBe(ALERTS);
  await first.turn();
  await first.settled();
  expect(first.channels()[0]).toMatchObject({ waiting: ALERTS, failing: { since: START } });

  const second = await begin();
  expect(second.channels()[0]?.waiting).toBe(ALERTS);
  open.clear();
  await second.note(alerts.map((alert) => resolved(alert, START + 1000)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(AT_ONCE);
  expect(second.channels()[0]?.waiting).toBe(0);
  expect(await store.dueNotices(ALERTS)).toEqual([]);
  await first.stop();
  await second.stop();
}, 120_000);
