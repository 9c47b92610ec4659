import { expect, it } from 'vitest';
import { createRecorder } from '@/server/store/recorder';
import { aHold, aLock, aTable, START } from '@/test/support/records';
import { SQLITE } from './store-under-test';

it('open holds keep at the end the renewals since they were written', async () => {
  const store = (await SQLITE.fresh()).open(() => START);
  await store.start();
  let now = START;
  const recorder = createRecorder({ store, target: 'main', now: () => now, find: () => undefined });
  const hold = aHold('A');
  const lock = aLock('lock:a', { hold });
  recorder.record([{ kind: 'hold-started', at: START, lock, hold, previousEnd: null }]);
  now = START + 1000;
  await recorder.flush();
  Object.assign(hold, { renewals: 3, lastRenewalAt: START + 4000 });
  now = START + 5000;
  recorder.keepOpen(aTable([lock]));
  await recorder.stop();
  expect(await store.openHolds('main')).toMatchObject([{ renewals: 3 }]);
  await store.stop();
});
