import type { LockClient, RedisConnection } from '../contract.js';
import { LockError } from '../errors.js';
import { stockLock, type StockKeys } from './keys.js';
import { CLAIM, FOUND, runStockScript } from './scripts.js';
import { redisFailure } from './redis-failure.js';
import type { Layout } from './layout.js';

/** The control hash: what the first set-up wanted, for whoever finishes it. */
interface Plan {
  quantity: number;
  segments: number;
  memoryMs: number;
  isOpen: boolean;
}

export interface SetUpParts {
  client: Pick<LockClient, 'using'>;
  redis: RedisConnection;
  keys: StockKeys;
  name: string;
}

/** The share of one segment: as even as whole units allow, the first ones one more. */
export const shareOf = (quantity: number, segments: number, index: number): number =>
  Math.floor(quantity / segments) + (index < quantity % segments ? 1 : 0);

function parsePlan(fields: readonly unknown[]): Plan {
  const [quantity, segments, memoryMs] = fields.map(Number);
  const isWhole = [quantity, segments, memoryMs].every(Number.isSafeInteger);
  if (!isWhole || quantity === undefined || segments === undefined || memoryMs === undefined) {
    throw new LockError('REDIS_ERROR', 'The control hash of the stock is damaged.', { fields });
  }
  return { quantity, segments, memoryMs, isOpen: fields[3] === 'open' };
}

/**
 * Setting up happens in three steps, each harmless when repeated, so that it can be finished by anybody:
 * the control hash fixes quantity and segments; every segment that is not there is created with its share; the
 * control hash is marked open. From then on a segment that is missing is lost and never created again.
 */
export class SetUp {
  readonly #parts: SetUpParts;

  constructor(parts: SetUpParts) {
    this.#parts = parts;
  }

  /** Throws STOCK_DIFFERS, and what taking the lock throws. */
  async run(wanted: Omit<Plan, 'isOpen'>): Promise<{ isNew: boolean }> {
    const { client, redis, keys, name } = this.#parts;
    return await client.using(stockLock(name), async () => {
      const args = [wanted.quantity, wanted.segments, wanted.memoryMs].map(String);
      const answer = await runStockScript(redis, CLAIM, { keys: [keys.control], args });
      const [isNew, ...fields] = Array.isArray(answer) ? answer : [];
      const stored = parsePlan(fields);
      if (stored.quantity !== wanted.quantity || stored.segments !== wanted.segments) {
        throw differs(name, wanted, stored);
      }
      if (!stored.isOpen) await this.#build(stored);
      return { isNew: isNew === 1 };
    });
  }

  /** Reads how the stock is divided; finishes a set-up that was begun. Throws STOCK_NOT_SET_UP. */
  async layout(): Promise<Layout> {
    const stored = await this.#read();
    if (!stored.isOpen) await this.#finish();
    return { segments: stored.segments };
  }

  async #finish(): Promise<void> {
    const { client, name } = this.#parts;
    await client.using(stockLock(name), async () => {
      const stored = await this.#read();
      if (!stored.isOpen) await this.#build(stored);
    });
  }

  async #read(): Promise<Plan> {
    const { redis, keys, name } = this.#parts;
    const fields = await redis
      .hmget(keys.control, 'quantity', 'segments', 'memory', 'state')
      .catch((error: unknown) => {
        throw redisFailure(error);
      });
    if (fields.every((field) => field === null)) {
      const sentence = `The stock ${JSON.stringify(name)} was not set up; call setUp(quantity) once.`;
      throw new LockError('STOCK_NOT_SET_UP', sentence, { name, key: keys.control });
    }
    return parsePlan(fields);
  }

  async #build({ quantity, segments, memoryMs }: Plan): Promise<void> {
    const { redis, keys } = this.#parts;
    await Promise.all(
      Array.from({ length: segments }, (_, index) => {
        const args = [segments, shareOf(quantity, segments, index), memoryMs].map(String);
        return runStockScript(redis, FOUND, { keys: keys.withLedgers(index), args });
      }),
    );
    await redis.hset(keys.control, 'state', 'open').catch((error: unknown) => {
      throw redisFailure(error);
    });
  }
}

function differs(name: string, wanted: Omit<Plan, 'isOpen'>, stored: Plan): LockError {
  const sentence =
    `The stock ${JSON.stringify(name)} was set up with ${stored.quantity} units in ${stored.segments} segments, ` +
    `not with ${wanted.quantity} in ${wanted.segments}; add to it with restock.`;
  return new LockError('STOCK_DIFFERS', sentence, {
    name,
    quantity: stored.quantity,
    segments: stored.segments,
  });
}
