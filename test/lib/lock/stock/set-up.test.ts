import { describe, expect, it } from 'vitest';
import { stockKeys } from '@/lib/lock/stock/keys';
import { openShop, refusal } from './shop';

const shop = openShop();
const keysOf = (name: string) => stockKeys('lockscope:stock:', name);

describe('setting up', () => {
  it('divides the units among the segments', async () => {
    const stock = shop.stock({ segments: 4 });
    expect(await stock.setUp(10)).toEqual({ isNew: true });
    expect(await stock.remaining()).toEqual({
      remaining: 10,
      sold: 0,
      total: 10,
      inTransit: 0,
      segments: [3, 3, 2, 2],
      evidence: 'observed',
    });
  });

  it('changes nothing the second time, also after sales', async () => {
    const stock = shop.stock();
    await stock.setUp(100);
    await stock.deduct(40, { orderId: 'a' });
    expect(await stock.setUp(100)).toEqual({ isNew: false });
    expect(await stock.remaining()).toMatchObject({ remaining: 60, sold: 40, total: 100 });
  });

  it('happens once when many do it at the same time', async () => {
    const stocks = Array.from({ length: 8 }, () => shop.stock({ name: 'contended' }));
    const results = await Promise.all(stocks.map(async (stock) => await stock.setUp(77)));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await stocks[0]?.remaining()).toMatchObject({ remaining: 77, total: 77 });
  });

  it('refuses other figures and tells those that stand', async () => {
    const stock = shop.stock();
    await stock.setUp(100);
    expect(await refusal(stock.setUp(101))).toMatchObject({
      code: 'STOCK_DIFFERS',
      fields: { quantity: 100, segments: 10 },
    });
    const inOthers = shop.stock({ name: stock.name, segments: 5 });
    expect((await refusal(inOthers.setUp(100))).code).toBe('STOCK_DIFFERS');
  });

  it('lets the stored number of segments count, whatever a later caller says', async () => {
    const stock = shop.stock({ segments: 3 });
    await stock.setUp(30);
    const other = shop.stock({ name: stock.name, segments: 7 });
    await other.deduct(1, { orderId: 'a' });
    expect((await other.remaining()).segments).toHaveLength(3);
  });

  it.each([
    ['before any segment', (): number[] => [0, 1, 2, 3, 4]],
    ['between two segments', (): number[] => [1, 4]],
    ['before the end is noted', (): number[] => []],
  ])('is finished by the next caller when it crashed %s', async (_, missing) => {
    const stock = shop.stock({ segments: 5 });
    const keys = keysOf(stock.name);
    await stock.setUp(50);
    await shop.commands.hset(keys.control, 'state', 'setting-up');
    for (const index of missing()) await shop.commands.del(...keys.withLedgers(index));

    const seller = shop.stock({ name: stock.name });
    expect(await seller.deduct(50, { orderId: 'all' })).toMatchObject({ isRepeat: false });
    expect(await seller.remaining()).toMatchObject({ remaining: 0, sold: 50, total: 50 });
    expect(await stock.setUp(50)).toEqual({ isNew: false });
  });

  it('keeps what was sold while it was being finished', async () => {
    const stock = shop.stock({ segments: 5 });
    const keys = keysOf(stock.name);
    await stock.setUp(50);
    await stock.deduct(1, { orderId: 'early' });
    await shop.commands.hset(keys.control, 'state', 'setting-up');
    expect(await stock.setUp(50)).toEqual({ isNew: false });
    expect(await stock.remaining()).toMatchObject({ remaining: 49, sold: 1, total: 50 });
  });

  it('accepts nothing to sell', async () => {
    const stock = shop.stock();
    await stock.setUp(0);
    expect((await refusal(stock.deduct(1, { orderId: 'a' }))).code).toBe('OUT_OF_STOCK');
  });
});

describe('a stock that is not there', () => {
  it('is told by name', async () => {
    const stock = shop.stock();
    for (const call of [
      stock.deduct(1, { orderId: 'a' }),
      stock.giveBack('a'),
      stock.restock(1, { restockId: 'd' }),
      stock.remaining(),
    ]) {
      const error = await refusal(call);
      expect(error.code).toBe('STOCK_NOT_SET_UP');
      expect(error.message).toContain(stock.name);
    }
  });

  it('sells as soon as it is set up', async () => {
    const stock = shop.stock();
    expect((await refusal(stock.deduct(1, { orderId: 'a' }))).code).toBe('STOCK_NOT_SET_UP');
    await stock.setUp(1);
    await stock.deduct(1, { orderId: 'a' });
  });

  it('does not come back by itself when a segment is lost', async () => {
    const stock = shop.stock({ segments: 2 });
    const keys = keysOf(stock.name);
    await stock.setUp(10);
    await shop.commands.del(keys.segment(0), keys.segment(1));
    expect((await refusal(stock.deduct(1, { orderId: 'a' }))).code).toBe('STOCK_LOST');
    expect((await refusal(stock.remaining())).code).toBe('STOCK_LOST');
    expect((await refusal(stock.deduct(1, { orderId: 'a' }))).code).toBe('STOCK_LOST');
    expect(await stock.setUp(10)).toEqual({ isNew: false });
    expect(await shop.commands.exists(keys.segment(0), keys.segment(1))).toBe(0);
  });

  it('can be set up anew in another number of segments after its keys were deleted', async () => {
    const stock = shop.stock({ segments: 2 });
    const keys = keysOf(stock.name);
    await stock.setUp(10);
    await stock.deduct(1, { orderId: 'a' });
    await shop.commands.del(keys.control, ...keys.withLedgers(0), ...keys.withLedgers(1));
    const anew = shop.stock({ name: stock.name, segments: 3 });
    await anew.setUp(3);
    expect((await refusal(stock.deduct(1, { orderId: 'b' }))).code).toBe('STOCK_LOST');
    expect(await stock.deduct(1, { orderId: 'b' })).toMatchObject({ isRepeat: false });
    expect(await anew.remaining()).toMatchObject({ sold: 1, total: 3 });
  });
});

describe('options', () => {
  it.each([
    { name: '' },
    { name: 'a{b' },
    { prefix: 'x}:' },
    { segments: 0 },
    { segments: 2.5 },
    { segments: 65 },
    { orderMemoryMs: 10 },
  ])('refuses %j', (options) => {
    expect(() => shop.stock(options)).toThrow(
      expect.objectContaining({ name: 'LockError', code: 'BAD_OPTIONS' }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])(
    'refuses to deduct or add %d units',
    async (quantity) => {
      const stock = shop.stock();
      await stock.setUp(5);
      expect((await refusal(stock.deduct(quantity, { orderId: 'a' }))).code).toBe('BAD_OPTIONS');
      expect((await refusal(stock.restock(quantity, { restockId: 'a' }))).code).toBe('BAD_OPTIONS');
      expect(await stock.remaining()).toMatchObject({ remaining: 5, total: 5 });
    },
  );

  it('refuses empty ids', async () => {
    const stock = shop.stock();
    await stock.setUp(5);
    expect((await refusal(stock.deduct(1, { orderId: '' }))).code).toBe('BAD_OPTIONS');
    expect((await refusal(stock.giveBack(' '))).code).toBe('BAD_OPTIONS');
    expect((await refusal(stock.restock(1, { restockId: '' }))).code).toBe('BAD_OPTIONS');
  });

  it('leaves a key alone that holds something else', async () => {
    const stock = shop.stock();
    await shop.commands.set(keysOf(stock.name).control, 'text');
    const error = await refusal(stock.setUp(5));
    expect(error.code).toBe('WRONG_TYPE');
    expect(await shop.commands.get(keysOf(stock.name).control)).toBe('text');
  });
});
