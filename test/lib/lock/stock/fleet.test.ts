import { afterEach, describe, expect, it } from 'vitest';
import { createBuyerFleet, type BuyerFleet } from './buyer-fleet';
import { runSale, watchLevel } from './sale';
import { openShop } from './shop';

const shop = openShop();
let fleet: BuyerFleet | undefined;
afterEach(async () => await fleet?.stop());

async function fleetFor(stock: string): Promise<BuyerFleet> {
  fleet = await createBuyerFleet({ port: shop.redis.port, stock });
  return fleet;
}

describe('eight processes that are killed and paused at random', () => {
  it('sell every unit once and refuse nobody before', { timeout: 600_000 }, async () => {
    const stock = shop.stock();
    await stock.setUp(6000);
    const level = watchLevel(stock);
    const sale = await runSale({
      fleet: await fleetFor(stock.name),
      processes: 8,
      orders: 8000,
      most: 1,
      customers: 96,
      seed: 1,
    });
    const levels = await level.end();

    expect(sale.failures).toEqual([]);
    expect(sale.kills).toBeGreaterThan(0);
    expect(sale.pauses).toBeGreaterThan(0);
    expect(sale.unitsHeld).toBe(6000);
    expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 6000, total: 6000 });
    expect(sale.refusals.length).toBeGreaterThanOrEqual(2000);
    expect(sale.refusals.filter(({ remaining }) => remaining !== 0)).toEqual([]);
    for (const { sold, remaining, total } of levels) {
      expect(sold).toBeLessThanOrEqual(6000);
      expect(sold + remaining).toBe(total);
    }
    const firsts = sale.orders.map(({ answers }) =>
      answers.filter(({ isRepeat }) => isRepeat === false),
    );
    expect(firsts.filter(({ length }) => length > 1)).toEqual([]);
  });

  it('sell orders of several units wholly or not at all', { timeout: 600_000 }, async () => {
    const stock = shop.stock();
    await stock.setUp(5000);
    const sale = await runSale({
      fleet: await fleetFor(stock.name),
      processes: 8,
      orders: 2500,
      most: 7,
      customers: 64,
      seed: 2,
    });
    const { sold, remaining } = await stock.remaining();
    expect(sale.failures).toEqual([]);
    expect(sold).toBe(sale.unitsHeld);
    expect(sold + remaining).toBe(5000);
    const wrong = sale.orders.filter(({ quantity, answers }) =>
      answers.some(({ code, remaining: left }) => code !== undefined && (left ?? 0) >= quantity),
    );
    expect(wrong).toEqual([]);
    const smallestRefused = Math.min(
      ...sale.orders
        .filter(({ answers }) => answers.some(({ code }) => code === 'OUT_OF_STOCK'))
        .map(({ quantity }) => quantity),
    );
    expect(remaining).toBeLessThan(smallestRefused);
  });

  it('hold exactly the orders that were not given back', { timeout: 600_000 }, async () => {
    const stock = shop.stock();
    await stock.setUp(400);
    const level = watchLevel(stock);
    const sale = await runSale({
      fleet: await fleetFor(stock.name),
      processes: 8,
      orders: 3000,
      most: 3,
      customers: 64,
      seed: 3,
      giveBackShare: 0.5,
    });
    const levels = await level.end();
    expect(sale.failures).toEqual([]);
    expect(await stock.remaining()).toMatchObject({
      sold: sale.unitsHeld,
      remaining: 400 - sale.unitsHeld,
      total: 400,
    });
    for (const { sold } of levels) expect(sold).toBeLessThanOrEqual(400);
  });
});
