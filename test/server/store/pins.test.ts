import { expect, it } from 'vitest';
import type { PinRow } from '@/server/store/store-contract';
import { onBoth } from './store-under-test';

const aPin = (over: Partial<PinRow> = {}): PinRow => ({
  pattern: 'order:*',
  format: 'redlock',
  createdAt: 1000,
  actor: 'operator@example.org',
  reason: 'ours',
  ...over,
});

onBoth('pins', (place) => {
  it('are kept over a restart, newest first, whatever their bytes and length', async () => {
    const spot = await place.fresh();
    const store = spot.open();
    await store.start();
    expect(await store.pins('main')).toEqual([]);
    const pins = [
      aPin(),
      aPin({ pattern: '\x00\xff*', createdAt: 2000, reason: 'a NUL: \0' }),
      aPin({ pattern: `${'k'.repeat(900)}*`, createdAt: 3000 }),
    ];
    for (const pin of pins) await store.savePin('main', pin);
    await store.savePin('other', aPin({ format: 'shedlock' }));
    await store.stop();
    const again = spot.open();
    await again.start();
    expect(await again.pins('main')).toEqual(pins.toReversed());
    expect(await again.pins('other')).toEqual([aPin({ format: 'shedlock' })]);
  });

  it('are one for each pattern of a target, and gone when taken away', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.savePin('main', aPin());
    const next = aPin({ format: 'redis-py', createdAt: 5000, reason: 'it is not' });
    await store.savePin('main', next);
    await store.savePin('other', aPin());
    expect(await store.pins('main')).toEqual([next]);
    await store.removePin('main', 'order:*');
    await store.removePin('main', 'never pinned');
    expect(await store.pins('main')).toEqual([]);
    expect(await store.pins('other')).toEqual([aPin()]);
  });
});
