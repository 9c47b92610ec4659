import { afterEach, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock';
import type { ActionInput } from '@/lib/protocol/actions';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const PATIENCE_MS = 60_000;
const LEASE_MS = 600_000;
const A = '11111111-1111-4111-8111-111111111111:11';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

const leaks = () => at.console.alerts('channel-leak');
const firing = async () => (await leaks()).find(({ state }) => state === 'firing');

/** As a client of Redisson that does not end its subscriptions with its wait. */
async function listen(name: string, keys: readonly string[]): Promise<void> {
  const client = at.redis.client();
  running.push(() => client.disconnect());
  await client.client('SETNAME', name);
  await client.subscribe(...keys.map((key) => `redisson_lock__channel:{${key}}`));
}

const take = (key: string) => at.client.multi().hset(key, A, 1).pexpire(key, LEASE_MS).exec();

async function tellAfter(value: number): Promise<void> {
  const body: ActionInput<'rule.save'> = {
    ...{ code: 'channel-leak', class: null, reason: 'ten minutes are long for a test' },
    setting: {
      ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
      threshold: { kind: 'static', value },
    },
  };
  expect(await at.console.request('POST', '/api/v1/rules', { body })).toMatchObject({
    status: 200,
  });
}

it('that clients still listen to are one alert with the channels and who may listen, until they go', async () => {
  await tellAfter(10_000);
  await listen('orders', ['inv:a', 'inv:b', 'inv:held']);
  await listen('stock', ['inv:a']);
  await take('inv:held');
  const told = await until(
    'both channels are told',
    async () => {
      const alert = await firing();
      return alert?.count === 2 && alert.summary.includes('stock') ? alert : null;
    },
    PATIENCE_MS,
  );
  expect(told).toMatchObject({ severity: 'warning', evidence: 'observed' });
  expect(told.summary).toContain('redisson_lock__channel:{inv:a} (2)');
  expect(told.summary).not.toContain('inv:held');
  expect(told.summary).toMatch(/orders 127\.0\.0\.1:\d+ \(3\)/);
  const [target] = await at.console.query('targets');
  expect(target?.idleChannels?.map(({ channel }) => channel).toSorted()).toEqual([
    'redisson_lock__channel:{inv:a}',
    'redisson_lock__channel:{inv:b}',
  ]);

  await take('inv:a');
  await until('only the other is left', async () => (await firing())?.count === 1, PATIENCE_MS);
  for (const stop of running.splice(0)) await stop();
  await until('it is over', async () => (await firing()) === undefined, PATIENCE_MS);
  expect(new Set((await leaks()).map(({ id }) => id)).size).toBe(1);
}, 200_000);

it('of a lock that is taken for a moment now and then, of our own client and of the console are none', async () => {
  await tellAfter(10_000);
  await listen('orders', ['inv:brief', 'inv:silent']);
  const client = createLockClient({ redis: at.redis.client(), allowInsecure: true });
  running.push(() => client.close());
  const held = await client.acquire('inv:own');
  const waiting = client.acquire('inv:own', { waitMs: 300_000 });
  let isOver = false;
  const taking = (async () => {
    while (!isOver) {
      await at.client.multi().hset('inv:brief', A, 1).pexpire('inv:brief', LEASE_MS).exec();
      await at.client.del('inv:brief');
      await pause(1000);
    }
  })();
  const told = await until('the other one is told', firing, PATIENCE_MS);
  expect(told).toMatchObject({ count: 1 });
  expect(told.summary).toContain('{inv:silent}');
  // They have been listened to for as long.
  expect(told.summary).not.toContain('inv:brief');
  expect(told.summary).not.toContain('lockscope');
  isOver = true;
  await taking;
  await held.release();
  await (await waiting).release();
}, 200_000);
