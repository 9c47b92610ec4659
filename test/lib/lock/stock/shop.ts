import type { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { createLockClient, isLockError, type LockClient, type LockError } from '@/lib/lock/index';
import { createStock, type Stock, type StockOptions } from '@/lib/lock/stock/index';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

export interface Shop {
  redis: TestRedis;
  commands: Redis;
  client: LockClient;
  /** A stock of a name that no other test uses. */
  stock: (options?: Partial<StockOptions>) => Stock;
}

/** A Redis and a lock client for all tests of a file. Read the parts inside tests. */
export function openShop(): Shop {
  let redis: TestRedis | undefined;
  let commands: Redis | undefined;
  let client: LockClient | undefined;
  let lastName = 0;
  beforeAll(async () => {
    redis = await startRedis();
    commands = redis.client();
    client = createLockClient({ redis: commands, allowInsecure: true });
  });
  afterAll(async () => {
    await client?.close();
    await redis?.stop();
  });
  return {
    get redis() {
      return started(redis);
    },
    get commands() {
      return started(commands);
    },
    get client() {
      return started(client);
    },
    stock: (options = {}) =>
      createStock({
        client: started(client),
        redis: started(commands),
        name: `item-${++lastName}`,
        ...options,
      }),
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('read the parts inside a test: nothing is started yet');
  return part;
}

/** The error that `call` is refused with. */
export async function refusal(call: Promise<unknown>): Promise<LockError> {
  const error = await call.then(
    (value) => new Error(`was not refused: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!isLockError(error)) throw error;
  return error;
}
