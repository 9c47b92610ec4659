import { checkNames } from '../known-options.js';
import { Balancing } from './balancing.js';
import type { Stock, StockLevel, StockOptions } from './contract.js';
import { Counter } from './counter.js';
import { DEFAULT_STOCK_PREFIX, homeOf, stockKeys } from './keys.js';
import { KnownLayout, type Layout } from './layout.js';
import { inTransit, orderField, Segments, unitsLeft } from './segments.js';
import { SetUp } from './set-up.js';
import { validId, validKeyPart, validQuantity, validWhole } from './validated.js';

const DAY_MS = 86_400_000;
const MOST_SEGMENTS = 64;
/** Readings of a Cluster before its figures are told as inferred. */
const READINGS = 3;

/**
 * A stock in segments that never sells more than it has (`README.md`). Makes no timer and opens nothing: there is
 * nothing to close. Throws BAD_OPTIONS.
 */
export function createStock(options: StockOptions): Stock {
  checkNames(options, ['client', 'redis', 'name', 'segments', 'prefix', 'orderMemoryMs']);
  const { client, redis } = options;
  const name = validKeyPart('name', options.name);
  const keys = stockKeys(validKeyPart('prefix', options.prefix ?? DEFAULT_STOCK_PREFIX), name);
  const wanted = {
    segments: validWhole('segments', options.segments ?? 10, { least: 1, most: MOST_SEGMENTS }),
    memoryMs: validWhole('orderMemoryMs', options.orderMemoryMs ?? DAY_MS, {
      least: 1000,
      most: 365 * DAY_MS,
    }),
  };
  const setUp = new SetUp({ client, redis, keys, name });
  const layout = new KnownLayout(setUp);
  const segments = new Segments({ redis, keys, onLost: () => layout.forget() });
  const balancing = new Balancing({ client, segments, name });
  const counter = new Counter({ segments, balancing, layout });

  return {
    name,
    setUp: async (quantity) => await setUp.run({ quantity: validQuantity(quantity, 0), ...wanted }),
    deduct: async (quantity, { orderId }) =>
      await counter.deduct(validQuantity(quantity), validId('orderId', orderId)),
    giveBack: async (orderId) => {
      const known = await layout.get();
      const home = homeOf(validId('orderId', orderId), known.segments);
      return await segments.giveBack(known, home, orderField(orderId));
    },
    restock: async (quantity, { restockId }) => {
      validQuantity(quantity);
      validId('restockId', restockId);
      return await balancing.restock(await layout.get(), { quantity, restockId });
    },
    remaining: async () => await readLevel(segments, await layout.get()),
  };
}

async function readLevel(segments: Segments, layout: Layout): Promise<StockLevel> {
  let survey = await segments.survey(layout);
  for (let i = 1; i < READINGS && !survey.isExact; i++) survey = await segments.survey(layout);
  const states = survey.segments;
  const sum = (field: 'sold' | 'stocked'): number =>
    states.reduce((total, state) => total + state[field], 0);
  return {
    remaining: unitsLeft(states),
    sold: sum('sold'),
    total: sum('stocked'),
    inTransit: inTransit(states),
    segments: states.map(({ left }) => left),
    evidence: survey.isExact ? 'observed' : 'inferred',
  };
}
