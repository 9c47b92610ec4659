import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import {
  createConfigFeed,
  createConfigReader,
  createConfigWriter,
} from '@/lib/lock/hot-config/index';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { createStock } from '@/lib/lock/stock/index';
import { createTaskRunner } from '@/lib/lock/task-runner/index';
import { openLockProvider } from '@/server/lock-provider/open-lock-provider';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

let server: TestRedis;
let redis: Redis;
let client: LockClient;
beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
  client = createLockClient({ redis, allowInsecure: true });
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

/** Options as JavaScript gives them, which no compiler has seen. */
const unseen = (options: object): never => options as never;
const run = (): null => null;

const MISSPELT: [option: string, make: () => unknown][] = [
  ['limit', () => createLockClient(unseen({ redis, limit: {} }))],
  ['segment', () => createStock(unseen({ client, redis, name: 'a', segment: 5 }))],
  ['leaseMS', () => createTaskRunner(unseen({ client, redis, tasks: {}, leaseMS: 500 }))],
  [
    'tasks.a.attempt',
    () => createTaskRunner(unseen({ client, redis, tasks: { a: { run, attempt: 5 } } })),
  ],
  ['validator', () => createConfigWriter(unseen({ client, redis, name: 'a', validator: run }))],
  ['validator', () => createConfigReader(unseen({ redis, name: 'a', validator: run }))],
  ['name', () => createConfigFeed(unseen({ redis, name: 'a' }))],
  ['template', () => openLockProvider(unseen({ template: 'a:${event.a}' }))],
];

const MISSING: [what: string, code: string, make: () => unknown][] = [
  ['a stock without a name', 'BAD_OPTIONS', () => createStock(unseen({ client, redis }))],
  ['a configuration without one', 'EMPTY_KEY', () => createConfigWriter(unseen({ client, redis }))],
  [
    'a task without work',
    'BAD_OPTIONS',
    () => createTaskRunner(unseen({ client, redis, tasks: { a: {} } })),
  ],
];

const refusal = async (make: () => unknown): Promise<unknown> => {
  try {
    return await make();
  } catch (error) {
    return error;
  }
};

describe('options that no compiler has seen', () => {
  it.each(MISSPELT)('have %s refused by name', async (option, make) => {
    expect(await refusal(make)).toMatchObject({
      code: 'BAD_OPTIONS',
      fields: { option },
      message: expect.stringContaining('there are '),
    });
  });

  it.each(MISSING)('of %s are refused', async (_, code, make) => {
    expect(await refusal(make)).toMatchObject({ code });
  });
});
