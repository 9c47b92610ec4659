import { describe, expect, it } from 'vitest';
import { homeOf, stockKeys } from '@/lib/lock/stock/keys';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { openShop, refusal } from './shop';

const shop = openShop();
const keysOf = (name: string) => stockKeys('lockscope:stock:', name);

async function calls(command: string): Promise<number> {
  const stats = await shop.commands.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

/** Order ids whose home is one segment. */
const idsAt = (segment: number, segments: number, count: number): string[] =>
  Array.from({ length: count * segments * 8 }, (_, i) => `order-${i}`)
    .filter((id) => homeOf(id, segments) === segment)
    .slice(0, count);

describe('a deduction', () => {
  it('takes units once for each order id', async () => {
    const stock = shop.stock({ segments: 1 });
    await stock.setUp(10);
    const first = await stock.deduct(3, { orderId: 'a' });
    expect(first).toEqual({ orderId: 'a', quantity: 3, isRepeat: false, segmentRemaining: 7 });
    expect(await stock.deduct(3, { orderId: 'a' })).toEqual({ ...first, isRepeat: true });
    expect(await stock.remaining()).toMatchObject({ remaining: 7, sold: 3 });
  });

  it('takes units once when the same order comes many times at once, from several clients', async () => {
    const stock = shop.stock();
    await stock.setUp(100);
    const others = Array.from({ length: 4 }, () => shop.stock({ name: stock.name }));
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const buyer = others[i % others.length] ?? stock;
        return await buyer.deduct(2, { orderId: `double-click-${i % 10}` });
      }),
    );
    expect(answers.filter(({ isRepeat }) => !isRepeat)).toHaveLength(10);
    expect(await stock.remaining()).toMatchObject({ remaining: 80, sold: 20 });
  });

  it('refuses another quantity for an order that has deducted', async () => {
    const stock = shop.stock();
    await stock.setUp(10);
    await stock.deduct(3, { orderId: 'a' });
    const error = await refusal(stock.deduct(2, { orderId: 'a' }));
    expect(error).toMatchObject({ code: 'ORDER_DIFFERS', fields: { orderId: 'a', quantity: 2 } });
    expect(await stock.remaining()).toMatchObject({ sold: 3 });
  });

  it('is answered from the ledger also after the stock is sold out', async () => {
    const stock = shop.stock();
    await stock.setUp(1);
    await stock.deduct(1, { orderId: 'a' });
    expect(await stock.deduct(1, { orderId: 'a' })).toMatchObject({ isRepeat: true });
  });

  it('keeps the ids of strangers apart', async () => {
    const stock = shop.stock();
    await stock.setUp(1000);
    const ids = ['since', 'left', 'o', 'r', '__proto__', '订单-１', 'a\nb', '\0', '{x}', '%s', '0'];
    for (const orderId of ids) {
      expect(await stock.deduct(1, { orderId })).toMatchObject({ isRepeat: false });
    }
    for (const orderId of ids) {
      expect(await stock.deduct(1, { orderId })).toMatchObject({ isRepeat: true });
    }
    await stock.restock(5, { restockId: 'since' });
    expect(await stock.remaining()).toMatchObject({ sold: ids.length, total: 1005 });
  });

  it('counts beyond 32 bits', async () => {
    const stock = shop.stock({ segments: 3 });
    await stock.setUp(Number.MAX_SAFE_INTEGER);
    await stock.deduct(2 ** 52, { orderId: 'a' });
    const remaining = Number.MAX_SAFE_INTEGER - 2 ** 52;
    expect(await stock.remaining()).toMatchObject({ remaining, sold: 2 ** 52 });
    expect((await refusal(stock.deduct(remaining + 1, { orderId: 'b' }))).code).toBe(
      'OUT_OF_STOCK',
    );
    await stock.deduct(remaining, { orderId: 'c' });
    expect(await stock.remaining()).toMatchObject({ remaining: 0 });
  });

  it('goes to Redis together with the others of its turn', async () => {
    const stock = shop.stock();
    await stock.setUp(10_000);
    await stock.deduct(1, { orderId: 'first' });
    const before = await calls('evalsha');
    await Promise.all(
      Array.from({ length: 400 }, async (_, i) => await stock.deduct(1, { orderId: `o-${i}` })),
    );
    expect((await calls('evalsha')) - before).toBe(1);
    expect(await stock.remaining()).toMatchObject({ sold: 401 });
  });

  it('works on when Redis has forgotten the scripts', async () => {
    const stock = shop.stock();
    await stock.setUp(10);
    await stock.deduct(1, { orderId: 'a' });
    await shop.commands.script('FLUSH');
    await stock.deduct(1, { orderId: 'b' });
    expect(await stock.remaining()).toMatchObject({ sold: 2 });
  });
});

describe('stealing', () => {
  it('sells every unit to orders of one segment', async () => {
    const stock = shop.stock({ segments: 10 });
    await stock.setUp(100);
    const ids = idsAt(3, 10, 101);
    expect(ids).toHaveLength(101);
    for (const orderId of ids.slice(0, 100)) await stock.deduct(1, { orderId });
    const error = await refusal(stock.deduct(1, { orderId: ids[100] ?? '' }));
    expect(error).toMatchObject({ code: 'OUT_OF_STOCK', fields: { remaining: 0, quantity: 1 } });
    expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 100 });
  });

  it('gathers one order from many segments, wholly or not at all', async () => {
    const stock = shop.stock({ segments: 10 });
    await stock.setUp(10);
    const tooMuch = await refusal(stock.deduct(11, { orderId: 'eleven' }));
    expect(tooMuch).toMatchObject({ code: 'OUT_OF_STOCK', fields: { remaining: 10 } });
    expect(await stock.remaining()).toMatchObject({ remaining: 10, sold: 0 });
    await stock.deduct(10, { orderId: 'ten' });
    expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 10 });
  });

  it('serves the small order when the large one of the same turn is too large', async () => {
    const stock = shop.stock();
    await stock.setUp(5);
    const large = refusal(stock.deduct(6, { orderId: 'large' }));
    const small = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => await stock.deduct(1, { orderId: `s-${i}` })),
    );
    expect((await large).code).toBe('OUT_OF_STOCK');
    expect(small).toHaveLength(5);
  });

  it('sells exactly all to a crowd in one turn', async () => {
    const stock = shop.stock();
    await stock.setUp(500);
    const results = await Promise.allSettled(
      Array.from({ length: 3000 }, async (_, i) => await stock.deduct(1, { orderId: `c-${i}` })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(500);
    expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 500 });
  });

  it('refuses a crowd without taking the lock', async () => {
    const stock = shop.stock();
    await stock.setUp(0);
    const holder = await shop.client.acquire(`stock:${stock.name}`);
    const errors = await Promise.all(
      Array.from({ length: 500 }, async (_, i) =>
        refusal(stock.deduct(1, { orderId: `late-${i}` })),
      ),
    );
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['OUT_OF_STOCK']));
    await holder.release();
  });

  it('sells units that a crashed process left on their way', async () => {
    const stock = shop.stock({ segments: 2 });
    const keys = keysOf(stock.name);
    await stock.setUp(4);
    await shop.commands.hincrby(keys.segment(0), 'left', -2);
    await shop.commands.hincrby(keys.segment(0), 'to:1', 2);
    expect(await stock.remaining()).toMatchObject({ remaining: 4, inTransit: 2, segments: [0, 2] });
    await stock.deduct(4, { orderId: 'all' });
    expect(await stock.remaining()).toMatchObject({ remaining: 0, inTransit: 0, sold: 4 });
  });

  it('waits for its turn among the processes that move units', async () => {
    const stock = shop.stock({ segments: 2 });
    await stock.setUp(2);
    const holder = await shop.client.acquire(`stock:${stock.name}`);
    let isSold = false;
    const sale = stock.deduct(2, { orderId: 'both' }).then((deduction) => {
      isSold = true;
      return deduction;
    });
    await pause(100);
    expect(isSold).toBe(false);
    await holder.release();
    expect(await sale).toMatchObject({ quantity: 2 });
  });
});

it('moves units in a line of work of its own, whoever asked', async () => {
  const stock = shop.stock();
  await stock.setUp(4);
  const waits: (string | undefined)[] = [];
  const stop = shop.client.on(({ event, key, owner }) => {
    if (event === 'waiting' && key.endsWith(`:stock:${stock.name}`)) waits.push(owner);
  });
  const holder = await shop.client.acquire(`stock:${stock.name}`);
  await shop.client.using('order:1', async (lock) => {
    const sale = stock.deduct(4, { orderId: 'a' });
    await until('the balancing waits', () => waits.length > 0);
    expect(waits).not.toContain(lock.owner);
    await holder.release();
    await sale;
  });
  stop();
});

describe('giving back', () => {
  it('returns the units once and closes the order', async () => {
    const stock = shop.stock();
    await stock.setUp(10);
    await stock.deduct(4, { orderId: 'a' });
    expect(await stock.giveBack('a')).toEqual({ quantity: 4, isRepeat: false });
    expect(await stock.giveBack('a')).toEqual({ quantity: 4, isRepeat: true });
    expect(await stock.remaining()).toMatchObject({ remaining: 10, sold: 0, total: 10 });
    expect((await refusal(stock.deduct(4, { orderId: 'a' }))).code).toBe('ORDER_GIVEN_BACK');
  });

  it('keeps a deduction out that arrives later', async () => {
    const stock = shop.stock();
    await stock.setUp(10);
    expect(await stock.giveBack('late')).toEqual({ quantity: 0, isRepeat: false });
    expect((await refusal(stock.deduct(1, { orderId: 'late' }))).code).toBe('ORDER_GIVEN_BACK');
    expect(await stock.remaining()).toMatchObject({ remaining: 10, sold: 0 });
  });

  it('makes the last unit buyable again, for an order of any segment', async () => {
    const stock = shop.stock();
    await stock.setUp(1);
    await stock.deduct(1, { orderId: 'a' });
    await refusal(stock.deduct(1, { orderId: 'b' }));
    await stock.giveBack('a');
    await stock.deduct(1, { orderId: 'c' });
    expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 1 });
  });
});

describe('restocking', () => {
  it('adds each delivery once and spreads it', async () => {
    const stock = shop.stock({ segments: 4 });
    await stock.setUp(0);
    expect(await stock.restock(40, { restockId: 'd-1' })).toEqual({ isRepeat: false });
    expect(await stock.restock(40, { restockId: 'd-1' })).toEqual({ isRepeat: true });
    expect(await stock.remaining()).toMatchObject({ total: 40, segments: [10, 10, 10, 10] });
  });

  it('refuses another quantity for the same delivery', async () => {
    const stock = shop.stock();
    await stock.setUp(1);
    await stock.restock(5, { restockId: 'd' });
    expect((await refusal(stock.restock(6, { restockId: 'd' }))).code).toBe('ORDER_DIFFERS');
    expect(await stock.remaining()).toMatchObject({ total: 6 });
  });

  it('lets a sold-out stock sell again', async () => {
    const stock = shop.stock();
    await stock.setUp(1);
    await stock.deduct(1, { orderId: 'a' });
    await refusal(stock.deduct(2, { orderId: 'b' }));
    await stock.restock(2, { restockId: 'd' });
    await stock.deduct(2, { orderId: 'b' });
  });
});

describe('the memory of orders', () => {
  it('lasts as long as was asked, and no more than twice that', async () => {
    const stock = shop.stock({ segments: 1, orderMemoryMs: 3000 });
    const [, first = '', second = ''] = keysOf(stock.name).withLedgers(0);
    await stock.setUp(10);
    await stock.deduct(1, { orderId: 'a' });
    await pause(3050);
    await stock.deduct(1, { orderId: 'b' });
    expect(await shop.commands.exists(first, second)).toBe(2);
    expect(await stock.deduct(1, { orderId: 'a' })).toMatchObject({ isRepeat: true });
    expect(await stock.giveBack('a')).toMatchObject({ quantity: 1 });
    await until(
      'the older ledger is gone',
      async () => (await shop.commands.exists(first, second)) === 1,
    );
    await until(
      'the other one as well',
      async () => (await shop.commands.exists(first, second)) === 0,
    );
    expect(await stock.deduct(1, { orderId: 'b' })).toMatchObject({ isRepeat: false });
    expect(await stock.remaining()).toMatchObject({ sold: 2, total: 10 });
  });
});
