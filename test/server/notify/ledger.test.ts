import { expect, it } from 'vitest';
import type { Alert } from '@/lib/protocol/alert';
import { CodedError } from '@/lib/protocol/errors';
import { Ledger } from '@/server/notify/ledger';
import { newNotice, type DeliveryEvent, type NoticeRecord } from '@/server/notify/notice-record';
import { START } from '@/test/support/records';
import { anAlert, aNotifier, TARGET } from './notifier-under-test';

const MOST = 800;
const PASSING = 1000;
const CHANNEL = { id: 'ops', name: 'ops' };

const told = (alert: Alert, event: DeliveryEvent, at: number): NoticeRecord => ({
  ...newNotice({ target: TARGET, channel: CHANNEL, event, since: at, alert, now: at }),
  ...{ deliveredAt: at, nextAt: null, maybeSeen: true },
});

const waits = (alert: Alert, at: number): NoticeRecord =>
  newNotice({ target: TARGET, channel: CHANNEL, event: 'firing', since: at, alert, now: at });

/** A ledger on a database that is out of reach when it is told so, with the times of what was given up. */
async function aLedger() {
  const { store } = await aNotifier();
  const state = { isBroken: false };
  const lost: number[] = [];
  const guarded =
    <T>(write: (rows: readonly T[]) => Promise<void>) =>
    async (rows: readonly T[]): Promise<void> => {
      if (state.isBroken) throw new CodedError('STORE_UNAVAILABLE', 'out of reach');
      await write(rows);
    };
  const ledger = new Ledger({
    store: {
      ...store,
      addNotices: guarded(store.addNotices),
      saveNotices: guarded(store.saveNotices),
      removeNotices: guarded(store.removeNotices),
    },
    target: TARGET,
    gaveUp: (times) => void lost.push(...times),
    most: MOST,
  });
  return { ledger, store, state, lost };
}

/** An alert that fires and resolves, and all of it is told. */
async function comesAndGoes(ledger: Ledger, id: string, at: number): Promise<void> {
  const alert = anAlert(id);
  await ledger.add([told(alert, 'firing', at)]);
  await ledger.add([told(alert, 'resolved', at + 1)]);
  ledger.forget(id);
}

it('while the database is out of reach what came and went is given up beyond a bound, and counted', async () => {
  const { ledger, store, state, lost } = await aLedger();
  await ledger.add([told(anAlert('saved'), 'firing', START)]);
  state.isBroken = true;
  await ledger.add([told(anAlert('saved'), 'resolved', START + 1)]);
  ledger.forget('saved');
  await ledger.add([waits(anAlert('lasts'), START + 2)]);
  for (let i = 0; i < PASSING; i++) {
    await comesAndGoes(ledger, `passing${i}`, START + 10 + 2 * i);
    expect(ledger.unwritten).toBeLessThanOrEqual(MOST);
  }
  const kept = ledger.unwritten;
  expect(kept + lost.length).toBe(2 + 2 * PASSING);
  expect(lost).not.toContain(START + 1);
  expect(lost).not.toContain(START + 2);
  state.isBroken = false;
  await ledger.flush();
  expect(ledger.unwritten).toBe(0);
  const stored = await store.newestNotices(2000);
  expect(stored).toHaveLength(kept + 1);
  expect(stored.filter(({ alert }) => alert === 'saved')).toHaveLength(2);
  expect(stored.filter(({ dueAt }) => dueAt !== null).map(({ alert }) => alert)).toEqual(['lasts']);
});

it('what was never written and is withdrawn leaves nothing behind', async () => {
  const { ledger, state, lost } = await aLedger();
  state.isBroken = true;
  await ledger.add([waits(anAlert('lasts'), START)]);
  for (let i = 0; i < PASSING; i++) {
    const notice = waits(anAlert(`passing${i}`), START + i);
    await ledger.add([notice]);
    await ledger.remove([notice]);
  }
  // Of a write that failed nobody knows whether it was done: as many are tried at once.
  expect(ledger.unwritten).toBeLessThanOrEqual(500);
  expect(lost).toEqual([]);
  state.isBroken = false;
  await ledger.flush();
  expect(ledger.pending().map(({ alert }) => alert?.id)).toEqual(['lasts']);
});

it('an alert that was over while the database was out of reach is forgotten once it is written', async () => {
  const { ledger, state } = await aLedger();
  state.isBroken = true;
  await comesAndGoes(ledger, 'over', START);
  await ledger.add([told(anAlert('open'), 'firing', START)]);
  expect(ledger.ofAlert('over')).toHaveLength(2);
  state.isBroken = false;
  await ledger.flush();
  expect(ledger.ofAlert('over')).toEqual([]);
  expect(ledger.ofAlert('open')).toHaveLength(1);
});
