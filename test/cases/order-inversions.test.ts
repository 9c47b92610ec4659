import { Redis } from 'ioredis';
import Redlock from 'redlock';
import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/**
 * Orders of taking two locks: those that can deadlock, though nobody ever waited, and those that look like it and cannot.
 * The latter come first in each: once an order that was taken later is told, they have been judged as well.
 */
const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });
const PATIENCE_MS = 60_000;

const A = 'b983c153-7421-469a-addb-44fb92259a1b:11';
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:22';

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

const free = (key: string) =>
  until(`${key} is free`, async () => (await at.console.detail(key))?.hold === null, PATIENCE_MS);

/** As Redisson’s threads do: a hash of owner and count with a lease; taken again it counts one more. */
async function take(owner: string, key: string): Promise<void> {
  await at.client.multi().hincrby(key, owner, 1).pexpire(key, 600_000).exec();
  await at.console.heldBy(key, owner);
}
async function give(key: string): Promise<void> {
  await at.client.del(key);
  await free(key);
}
/** Takes all, then gives them back, the last one first. */
async function nest(owner: string, ...keys: string[]): Promise<void> {
  for (const key of keys) await take(owner, key);
  for (const key of keys.toReversed()) await give(key);
}
/** Takes each after it gave the one before back. */
async function oneByOne(owner: string, ...keys: string[]): Promise<void> {
  for (const key of keys) await nest(owner, key);
}

/** What of all classes that contain `text` was ever told to be taken in orders that contradict each other. */
const told = async (text: string): Promise<string[]> =>
  (await at.console.alerts('order-inversion'))
    .map(({ subject }) => subject.label)
    .filter((label) => label.includes(text))
    .toSorted();
const alertOf = (label: string) =>
  until(
    `the orders of ${label} are told`,
    async () =>
      (await at.console.alerts('order-inversion')).find(
        ({ state, subject }) => state === 'firing' && subject.label === label,
      ),
    PATIENCE_MS,
  );
const predicted = async (text: string) =>
  (await at.console.query('deadlocks')).filter(
    ({ state, classes }) => state === 'predicted' && classes?.some((each) => each.includes(text)),
  );

describe('two locks that two owners take', () => {
  it('in opposite orders are told once, with an example of each direction, and are no deadlock', async () => {
    const [x, y] = ['inv:desk', 'inv:stock'];
    await nest(A, x, y);
    await nest(B, y, x);
    const { id, summary, remedy, severity, evidence, subject } = await alertOf(`${x}, ${y}`);
    expect(summary).toContain(
      `Potential deadlock: ${x} → ${y}, ${y} → ${x} contradict each other.`,
    );
    expect(summary).toContain(`${A} held ${x} when it asked for ${y} at `);
    expect(summary).toContain(`${B} held ${y} when it asked for ${x} at `);
    expect(remedy).toMatch(/^Take inv:\w+ before inv:\w+ everywhere/);
    expect({ severity, evidence }).toEqual({ severity: 'warning', evidence: 'inferred' });
    await nest(A, x, y);
    await nest(B, y, x);
    await until('each was seen twice', async () => {
      const { items } = await at.console.get<{ items: { first: string; times: number }[] }>(
        '/orders',
      );
      return [x, y].every((key) => items.some(({ first, times }) => first === key && times === 2));
    });
    const found = await at.console.alerts('order-inversion');
    expect(
      found.filter(({ subject: { label } }) => label.includes('inv:stock')).map((one) => one.id),
    ).toEqual([id]);
    expect(await at.console.alerts('deadlock')).toEqual([]);
    expect(await predicted('inv:stock')).toMatchObject([
      {
        id: subject.deadlockId,
        cycle: [
          { owner: A, waitsFor: { key: y }, heldBy: B },
          { owner: B, waitsFor: { key: x }, heldBy: A },
        ],
        examples: [
          { owner: A, first: { key: x }, second: { key: y } },
          { owner: B, first: { key: y }, second: { key: x } },
        ],
      },
    ]);
  }, 300_000);

  it('in opposite orders inside a common lock cannot meet, and without it they can', async () => {
    const [x, y, gate] = ['inv:gate-x', 'inv:gate-y', 'inv:gate-g'];
    await nest(A, gate, x, y);
    await nest(B, gate, y, x);
    const [u, v] = ['inv:gate-u', 'inv:gate-v'];
    await nest(A, gate, u, v);
    await nest(B, v, u);
    await alertOf(`${u}, ${v}`);
    expect(await told('inv:gate')).toEqual([`${u}, ${v}`]);
    expect(await predicted('inv:gate-x')).toEqual([]);
  }, 300_000);

  it('of one class in the order of their ids are fine, and in the opposite order they are told', async () => {
    const [first, second] = ['inv:order:17', 'inv:order:42'];
    await nest(A, first, second);
    await nest(B, first, second);
    await nest(B, 'inv:order:9', second);
    await nest(A, 'inv:cart:42', 'inv:cart:17');
    await nest(B, 'inv:cart:17', 'inv:cart:42');
    await alertOf('inv:cart:*');
    expect(await told('inv:order')).toEqual([]);
    await nest(B, second, first);
    const { remedy } = await alertOf('inv:order:*');
    expect(remedy).toContain('Take locks of inv:order:* in the order of their ids');
  }, 300_000);

  it('one after the other, never both, are in no order', async () => {
    const [x, y] = ['inv:apart-x', 'inv:apart-y'];
    await oneByOne(A, x, y, x, y);
    await oneByOne(B, y, x, y, x);
    await nest(A, x, y);
    const [u, v] = ['inv:apart-u', 'inv:apart-v'];
    await nest(A, u, v);
    await nest(B, v, u);
    await alertOf(`${u}, ${v}`);
    expect(await told('inv:apart')).toEqual([`${u}, ${v}`]);
  }, 300_000);

  it('and that are entered again are taken in the order of the first time', async () => {
    const [x, y] = ['inv:again-x', 'inv:again-y'];
    for (const owner of [A, B]) {
      await take(owner, x);
      await take(owner, y);
      await take(owner, x);
      await until('it was entered again', async () => {
        return (await at.console.detail(x))?.hold?.depth === 2;
      });
      for (const key of [y, x]) await give(key);
    }
    const [u, v] = ['inv:again-u', 'inv:again-v'];
    await nest(A, u, v);
    await nest(B, v, u);
    await alertOf(`${u}, ${v}`);
    expect(await told('inv:again')).toEqual([`${u}, ${v}`]);
  }, 300_000);
});

describe('several locks at once', () => {
  it('by redlock as [a, b] and as [b, a] are told, and always as [a, b] they are not', async () => {
    const client = new Redis({ port: at.redis.port, host: '127.0.0.1' });
    stops.push(() => client.disconnect());
    const redlock = new Redlock([client], { retryCount: 0 });
    const takeAll = async (...keys: string[]): Promise<void> => {
      const lock = await redlock.acquire(keys, 600_000);
      const token = await client.get(keys[0] ?? '');
      for (const key of keys) await at.console.heldBy(key, token ?? '');
      await lock.release();
      for (const key of keys) await free(key);
    };
    const [a, b] = ['inv:same-a', 'inv:same-b'];
    for (let i = 0; i < 3; i++) await takeAll(a, b);
    const [u, v] = ['inv:pair-a', 'inv:pair-b'];
    await takeAll(u, v);
    await takeAll(v, u);
    const { summary } = await alertOf(`${u}, ${v}`);
    expect(summary).toContain(`${u} → ${v}, ${v} → ${u}`);
    expect(await at.console.alerts('deadlock')).toEqual([]);
    expect(await told('inv:same')).toEqual([]);
  }, 300_000);

  it('as multi-locks in opposite orders are told, linked by their owner, and in the order of our own they are not', async () => {
    const client = createLockClient({
      redis: at.redis.client(),
      allowInsecure: true,
      prefix: 'inv:',
    });
    stops.push(() => client.close());
    for (const names of [
      ['own-b', 'own-a'],
      ['own-a', 'own-b'],
    ]) {
      await client.multi(names).using(async ({ owner }) => {
        for (const name of names) await at.console.heldBy(`inv:${name}`, owner);
      });
      for (const name of names) await free(`inv:${name}`);
    }
    const [stock, order, ledger] = ['inv:multi-stock', 'inv:multi-order', 'inv:multi-ledger'];
    await nest(A, stock, order, ledger);
    await nest(B, ledger, order, stock);
    const { summary } = await alertOf(`${order}, ${stock}`);
    expect(summary).toContain(`${A} held ${stock} when it asked for ${order} at `);
    await alertOf(`${ledger}, ${order}`);
    // Who takes stock or ledger last holds order already, as the other would have to.
    expect(await told('inv:multi')).toEqual([`${ledger}, ${order}`, `${order}, ${stock}`]);
    expect(await told('inv:own')).toEqual([]);
  }, 300_000);
});
