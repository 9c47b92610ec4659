import { describe, expect, it } from 'vitest';
import { stockKeys } from '@/lib/lock/stock/keys';
import { Segments } from '@/lib/lock/stock/segments';
import { PUT, runStockScript } from '@/lib/lock/stock/scripts';
import { openShop } from './shop';

const shop = openShop();
const LAYOUT = { segments: 2 };

async function twoSegments(units: number): Promise<{ segments: Segments; key: string }> {
  const stock = shop.stock(LAYOUT);
  await stock.setUp(units);
  const keys = stockKeys('lockscope:stock:', stock.name);
  const segments = new Segments({ redis: shop.commands, keys, onLost: () => undefined });
  return { segments, key: keys.segment(1) };
}

const leftOf = async (segments: Segments): Promise<number[]> =>
  (await segments.survey(LAYOUT)).segments.map(({ left }) => left);

describe('a move between segments', () => {
  it('takes what is there, when that is less than was planned', async () => {
    const { segments } = await twoSegments(6);
    await segments.move(LAYOUT, { from: 0, to: 1, quantity: 5 });
    expect(await leftOf(segments)).toEqual([0, 6]);
  });

  it('moves nothing from a segment that sold out meanwhile', async () => {
    const { segments } = await twoSegments(0);
    await segments.move(LAYOUT, { from: 0, to: 1, quantity: 5 });
    expect(await leftOf(segments)).toEqual([0, 0]);
  });

  it('counts once when its second half comes again, or late', async () => {
    const { segments, key } = await twoSegments(20);
    const put = async (given: number): Promise<unknown> =>
      await runStockScript(shop.commands, PUT, { keys: [key], args: ['2', '0', `${given}`] });
    await segments.move(LAYOUT, { from: 0, to: 1, quantity: 2 });
    await segments.move(LAYOUT, { from: 0, to: 1, quantity: 3 });
    expect(await put(5)).toBe(0);
    expect(await put(2)).toBe(0);
    expect(await leftOf(segments)).toEqual([5, 15]);
  });

  it('is completed once by many at the same time', async () => {
    const { segments } = await twoSegments(20);
    await segments.move(LAYOUT, { from: 1, to: 0, quantity: 1 });
    const { segments: states } = await segments.survey(LAYOUT);
    const half = states.map((state, index) =>
      index === 0 ? { ...state, to: new Map([[1, 4]]) } : state,
    );
    const added = await Promise.all(
      Array.from({ length: 8 }, async () => await segments.settle(LAYOUT, half)),
    );
    expect(added.filter((units) => units > 0)).toEqual([4]);
  });
});
