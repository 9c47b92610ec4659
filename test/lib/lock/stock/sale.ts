import { createRandom, type Random } from '@/test/support/lock-fleet/random';
import { pause } from '@/test/support/pause';
import type { Stock, StockLevel } from '@/lib/lock/stock/index';
import type { BuyerFleet, BuyerProcess } from './buyer-fleet';
import type { Answer } from './buyer-job';

export interface SaleOptions {
  fleet: BuyerFleet;
  processes: number;
  orders: number;
  /** Units an order wants, at most. */
  most: number;
  seed: number;
  /** Customers who each wait for an answer before they come with their next order. */
  customers: number;
  /** Share of orders that are given back after they were answered. */
  giveBackShare?: number;
  /** What happens again and again meanwhile, instead of kills and pauses. */
  trouble?: (random: Random) => Promise<void>;
}

/** What became of one order; null while nobody knows. */
interface Order {
  orderId: string;
  quantity: number;
  answers: Answer[];
  givenBack: boolean;
}

export interface Sale {
  orders: Order[];
  /** Of the orders that deducted and were not given back. */
  unitsHeld: number;
  refusals: Answer[];
  /** Answers with another code than OUT_OF_STOCK. */
  failures: Answer[];
  kills: number;
  pauses: number;
}

/** The lease of whoever moves units is a second: some pauses are longer. */
const LONGEST_PAUSE_MS = 1800;

/**
 * Sells to customers who come to a random process, click twice at times, and come back with the same order to
 * another process when theirs was killed; meanwhile processes are killed and paused.
 */
export async function runSale(options: SaleOptions): Promise<Sale> {
  const random = createRandom(options.seed);
  const processes = await Promise.all(
    Array.from({ length: options.processes }, async () => await options.fleet.start()),
  );
  const orders: Order[] = Array.from({ length: options.orders }, (_, i) => ({
    orderId: `order-${i}`,
    quantity: random.between(1, options.most),
    answers: [],
    givenBack: false,
  }));
  const queue = [...orders];
  const shop = new Customers({ processes, random, giveBackShare: options.giveBackShare ?? 0 });
  let isOver = false;
  const { fleet, trouble: other } = options;
  const trouble = makeTrouble({ processes, random, fleet, other, isOver: () => isOver });
  await Promise.all(
    Array.from({ length: options.customers }, async () => {
      for (let order = queue.pop(); order; order = queue.pop()) await shop.serve(order);
    }),
  );
  isOver = true;
  const { kills, pauses } = await trouble;
  return { ...summary(orders), kills, pauses };
}

class Customers {
  readonly #parts: { processes: BuyerProcess[]; random: Random; giveBackShare: number };

  constructor(parts: { processes: BuyerProcess[]; random: Random; giveBackShare: number }) {
    this.#parts = parts;
  }

  async serve(order: Order): Promise<void> {
    const { random, giveBackShare } = this.#parts;
    const clicks = random.isBelow(0.1) ? 2 : 1;
    const answers = Array.from({ length: clicks }, async () => await this.#ask('deduct', order));
    order.answers.push(...(await Promise.all(answers)));
    if (!random.isBelow(giveBackShare)) return;
    await this.#ask('giveBack', order);
    order.givenBack = true;
  }

  /** Again, at another process, until somebody answers; also when the answer is that the outcome is open. */
  async #ask(verb: 'deduct' | 'giveBack', { orderId, quantity }: Order): Promise<Answer> {
    const { processes, random } = this.#parts;
    for (;;) {
      const answer = await random.pick(processes).ask({ verb, orderId, quantity });
      if (answer && answer.code !== 'REDIS_UNREACHABLE') return answer;
      await pause(5);
    }
  }
}

async function makeTrouble(parts: {
  processes: BuyerProcess[];
  random: Random;
  fleet: BuyerFleet;
  other: SaleOptions['trouble'];
  isOver: () => boolean;
}): Promise<{ kills: number; pauses: number }> {
  const { processes, random, fleet, other, isOver } = parts;
  const starting = new Map<number, Promise<void>>();
  const pausing: Promise<void>[] = [];
  let kills = 0;
  const kill = async (index: number): Promise<void> => {
    kills++;
    await processes[index]?.kill();
    const started = fleet.start().then((fresh) => {
      processes[index] = fresh;
      starting.delete(index);
    });
    starting.set(index, started);
  };
  const pauseOne = (index: number): void => {
    const process = processes[index];
    process?.pause();
    pausing.push(pause(random.between(10, LONGEST_PAUSE_MS)).then(() => process?.resume()));
  };
  while (!isOver()) {
    await pause(random.between(20, 120));
    const index = random.between(0, processes.length - 1);
    if (other) await other(random);
    else if (kills < pausing.length && !starting.has(index)) await kill(index);
    else pauseOne(index);
  }
  await Promise.all([...pausing, ...starting.values()]);
  return { kills, pauses: pausing.length };
}

function summary(orders: Order[]): Omit<Sale, 'kills' | 'pauses'> {
  const answers = orders.flatMap((order) => order.answers);
  const held = orders.filter(
    (order) => !order.givenBack && order.answers.some(({ code }) => code === undefined),
  );
  return {
    orders,
    unitsHeld: held.reduce((sum, { quantity }) => sum + quantity, 0),
    refusals: answers.filter(({ code }) => code === 'OUT_OF_STOCK'),
    failures: answers.filter(({ code }) => code !== undefined && code !== 'OUT_OF_STOCK'),
  };
}

/** Reads the level again and again until it is told to end. */
export function watchLevel(stock: Stock): { end: () => Promise<StockLevel[]> } {
  const levels: StockLevel[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      levels.push(await stock.remaining());
      await pause(2);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await watching;
      return levels;
    },
  };
}
