import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '@/lib/analysis/lock-order';
import { createLockClient } from '@/lib/lock/index';
import { inEnglish } from '@/lib/messages/in-english';
import type { Deadlock, Orders } from '@/lib/protocol/deadlock';
import { isCodedError } from '@/lib/protocol/errors';
import type { Finding } from '@/server/analysers/finding';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import { createAnalysis } from '@/server/analysers';
import { createIntendedOrders } from '@/server/store/intended-orders';
import { createOrderKeeper } from '@/server/store/order-keeper';
import { startServer, TARGET, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

const A = 'b983c153-7421-469a-addb-44fb92259a1b:11';
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:22';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Names that no other test has: what is learnt in one is none of the others' business. */
let test = 0;
const name = (text: string): string => `inv:${'abcdefghijklmnopqrstuvwxyz'[test] ?? ''}${text}`;
beforeEach(() => void test++);

/** As Redisson takes a lock: a hash of owner and count, with a lease. */
async function take(key: string, owner: string): Promise<void> {
  await server.client.multi().hincrby(key, owner, 1).pexpire(key, 60_000).exec();
  await server.lock(key, ({ hold }) => hold?.owner.id === owner);
}
async function give(key: string): Promise<void> {
  await server.client.del(key);
  await server.lock(key, ({ hold }) => hold === null);
}

/** Takes all, then gives them back, the last one first. */
async function nest(owner: string, ...keys: string[]): Promise<void> {
  for (const key of keys) await take(key, owner);
  for (const key of keys.toReversed()) await give(key);
}

/** Open alerts of contradicting orders about locks of this test. */
const alerts = () =>
  server.context.alerts
    .open()
    .filter(({ code, subject }) => code === 'order-inversion' && subject.label.includes(name('')));

const alert = async () => await until('the order is told', () => alerts()[0]);

/** Once the judge has told of an order that was taken later, it has judged all before. */
async function judged(): Promise<void> {
  const [x, y] = [name('later-x'), name('later-y')];
  await nest(A, x, y);
  await nest(B, y, x);
  await until('a later order is told', () =>
    alerts().some(({ subject }) => subject.label.includes(x)),
  );
}
const others = () => alerts().filter(({ subject }) => !subject.label.includes('later-x'));

/** `runQuery` is typed for any query. */
const ordersNow = async () => (await runQuery(server.as('viewer'), 'orders', {})) as Orders;
const deadlocksNow = async () =>
  (await runQuery(server.as('viewer'), 'deadlocks', {})) as Deadlock[];
const predictedNow = async () =>
  (await deadlocksNow()).filter(({ classes }) => classes?.some((each) => each.includes(name(''))));

describe('locks taken in orders that contradict each other', () => {
  it('are told although nobody ever waited, with an example of each direction, once', async () => {
    const [x, y] = [name('x'), name('y')];
    await nest(A, x, y);
    await nest(B, y, x);
    const { summary, remedy, severity, evidence, subject, id } = await alert();
    expect(summary).toContain(
      `Potential deadlock: ${x} → ${y}, ${y} → ${x} contradict each other.`,
    );
    expect(summary).toContain(`${A} held ${x} when it asked for ${y} at `);
    expect(summary).toContain(`${B} held ${y} when it asked for ${x} at `);
    expect(remedy).toMatch(/^Take inv:\w+ before inv:\w+ everywhere/);
    expect({ severity, evidence }).toEqual({ severity: 'warning', evidence: 'inferred' });
    expect(subject.locks.map(({ key }) => key).toSorted()).toEqual([x, y]);
    await nest(A, x, y);
    await nest(B, y, x);
    await judged();
    expect(others().map((each) => each.id)).toEqual([id]);
    expect(server.context.alerts.open().filter(({ code }) => code === 'deadlock')).toEqual([]);
    const [predicted, ...more] = (await predictedNow()).filter((each) => each.classes?.includes(x));
    expect(more).toEqual([]);
    expect(predicted).toMatchObject({
      id: subject.deadlockId,
      state: 'predicted',
      evidence: 'inferred',
      classes: [x, y],
      intended: null,
      cycle: [
        { owner: A, waitsFor: { key: y }, heldBy: B },
        { owner: B, waitsFor: { key: x }, heldBy: A },
      ],
      examples: [
        { owner: A, first: { key: x }, second: { key: y } },
        { owner: B, first: { key: y }, second: { key: x } },
      ],
    });
  });

  it('advises the order that is taken more often', async () => {
    const [x, y] = [name('x'), name('y')];
    await nest(A, y, x);
    await nest(A, y, x);
    await nest(B, x, y);
    const wanted = `Take ${y} before ${x} everywhere: that was done 2×, the other way round 1×.`;
    expect((await alert()).remedy).toContain(wanted);
  });

  it('are fine within a common lock', async () => {
    const [g, x, y] = [name('g'), name('x'), name('y')];
    await nest(A, g, x, y);
    await nest(B, g, y, x);
    await judged();
    expect(others()).toEqual([]);
  });

  it('are fine within one class in the order of the ids, and told in the opposite order', async () => {
    const order = (id: number): string => name(`order:${id}`);
    await nest(A, order(17), order(42));
    await nest(B, order(17), order(42));
    await judged();
    expect(others()).toEqual([]);
    await nest(B, order(42), order(17));
    await until('the order is told', () => others()[0]);
    const [found] = others();
    expect(found?.subject.label).toBe(name('order:*'));
    expect(found?.remedy).toContain(`Take locks of ${name('order:*')} in the order of their ids`);
  });

  it('are told of locks that are taken within one millisecond', async () => {
    const [x, y] = [name('x'), name('y')];
    const burst = async (owner: string, ...keys: string[]): Promise<void> => {
      const pipeline = server.client.pipeline();
      for (const key of keys) pipeline.hincrby(key, owner, 1).pexpire(key, 60_000);
      await pipeline.exec();
      for (const key of keys) await server.lock(key, ({ hold }) => hold?.owner.id === owner);
      await server.client.del(...keys.toReversed());
      for (const key of keys) await server.lock(key, ({ hold }) => hold === null);
    };
    await burst(A, x, y);
    await burst(B, x, y);
    await judged();
    expect(others()).toEqual([]);
    await burst(B, y, x);
    await until('the order is told', () => others()[0]);
    expect(others().map(({ subject }) => subject.label)).toEqual([`${x}, ${y}`]);
  });

  it('are told of those who name themselves in the value of a lock of their own making', async () => {
    const [x, y] = [name('x'), name('y')];
    const takeBoth = async (owner: string, ...keys: string[]): Promise<void> => {
      for (const key of keys) {
        await server.client.set(key, owner, 'PX', 60_000, 'NX');
        await server.lock(key, ({ hold }) => hold?.owner.id === owner);
      }
      for (const key of keys) await give(key);
    };
    for (let i = 0; i < 3; i++) {
      await takeBoth('worker-1', x, y);
      await takeBoth('worker-2', y, x);
    }
    expect((await alert()).subject.label).toBe(`${x}, ${y}`);
    await judged();
    expect(others()).toHaveLength(1);
  });

  it('are told of one token over several keys, as redlock takes them', async () => {
    const [a, b] = [name('a'), name('b')];
    const takeBoth = async (token: string, ...keys: string[]): Promise<void> => {
      const script = `for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', 60000) end`;
      await server.client.eval(script, keys.length, ...keys, token);
      for (const key of keys) await server.lock(key, ({ hold }) => hold?.owner.id === token);
      for (const key of keys) await give(key);
    };
    await takeBoth('9f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c', a, b);
    await takeBoth('0a1b2c3d4e5f60718293a4b5c6d7e8f901a2b3c4', b, a);
    expect((await alert()).subject.label).toBe(`${a}, ${b}`);
  });

  it('are told of multi-locks in opposite orders, whose holds their owner links', async () => {
    const [stock, order, ledger] = [name('stock'), name('order'), name('ledger')];
    await nest(A, stock, order, ledger);
    await nest(B, ledger, order, stock);
    await until('both are told', () => alerts().length >= 2);
    await judged();
    // Who takes stock or ledger last holds order already, as the other would have to.
    const pairs = others().map(({ subject }) => subject.label);
    expect(pairs.toSorted()).toEqual([`${ledger}, ${order}`, `${order}, ${stock}`]);
  });

  it('are told of the tasks of our own client', async () => {
    const client = createLockClient({ redis: server.client, allowInsecure: true, prefix: 'inv:' });
    try {
      const [x, y] = [name('x'), name('y')].map((key) => key.replace('inv:', ''));
      const inOrder = async (first = '', second = ''): Promise<void> => {
        await client.using(first, async ({ key, owner }) => {
          await server.lock(key, ({ hold }) => hold?.owner.id === owner);
          await client.using(second, async (inner) => {
            await server.lock(inner.key, ({ hold }) => hold?.owner.id === inner.owner);
          });
        });
      };
      await inOrder(x, y);
      await inOrder(y, x);
      await alert();
    } finally {
      await client.close();
    }
  });

  it('are not learnt of libraries whose tokens are new for each lock, which are named', async () => {
    const [x, y] = [name('x'), name('y')];
    let token = 0;
    const random = (): string => `${'0123456789abcdef'.repeat(2)}${token++}`.slice(-32);
    const takeOne = async (key: string): Promise<void> => {
      const value = random();
      await server.client.set(key, value, 'PX', 60_000);
      await server.lock(key, ({ hold }) => hold?.owner.id === value);
    };
    for (const pair of [
      [x, y],
      [y, x],
    ]) {
      for (const key of pair) await takeOne(key);
      for (const key of pair.toReversed()) await give(key);
    }
    await judged();
    expect(others()).toEqual([]);
    const { items, unfollowed } = await ordersNow();
    expect(items.filter(({ first }) => first === x)).toEqual([]);
    const { format } = await server.lock(x, () => true);
    expect(unfollowed.find((each) => each.format === format)?.locks).toBeGreaterThanOrEqual(2);
    expect(unfollowed.map((each) => each.format)).not.toContain('redisson');
  });
});

describe('an order that is meant', () => {
  const act = (action: 'order.intend' | 'order.unintend', id: string, role = 'operator' as const) =>
    runAction(server.as(role), action, { id, reason: 'never at the same time' });
  const actAs = (
    name: string,
    action: 'order.intend' | 'order.unintend',
    input: { id: string; version: number | null },
  ) => runAction(server.as('operator', { name }), action, { ...input, reason: `as ${name} says` });

  it('is no alert until that is taken back, and says who meant it', async () => {
    const [x, y] = [name('x'), name('y')];
    await nest(A, x, y);
    await nest(B, y, x);
    const { subject, id } = await alert();
    const order = subject.deadlockId ?? '';
    expect(await act('order.intend', order)).toMatchObject({
      outcome: 'intended',
      deadlock: { id: order, intended: { actor: 'operator@example.org' } },
    });
    await until('it is no alert', () => alerts().length === 0);
    expect(await predictedNow()).toMatchObject([
      { state: 'predicted', intended: { reason: 'never at the same time' } },
    ]);
    expect(await server.context.store.documents('intended-order')).toMatchObject([
      { value: { order, target: TARGET, actor: 'operator@example.org' } },
    ]);
    const { items } = await server.context.store.audit({ limit: 1 });
    expect(items).toMatchObject([
      { action: 'order.intend', outcome: 'done', after: { id: order, classes: [x, y] } },
    ]);
    expect(await act('order.unintend', order)).toMatchObject({ outcome: 'unintended' });
    expect((await alert()).id === id || alerts().length === 1).toBe(true);
    expect(await server.context.store.documents('intended-order')).toEqual([]);
  });

  it('is refused where somebody said or took that back meanwhile, and says who and when', async () => {
    const [x, y] = [name('x'), name('y')];
    await nest(A, x, y);
    await nest(B, y, x);
    const id = (await alert()).subject.deadlockId ?? '';
    const orders = server.context.analysis.orders;
    await actAs('ada', 'order.intend', { id, version: null });
    const version = orders.intended(id)?.at ?? 0;
    const by = { changedBy: 'ada', changedAt: expect.any(Number) };
    const late = actAs('ben', 'order.intend', { id, version: null });
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', details: { ...by, version } });
    await expect(late).rejects.toThrow(
      /^ada said so meanwhile, at \d\d:\d\d:\d\d UTC: as ada says\./,
    );
    const early = actAs('ben', 'order.unintend', { id, version: version - 1 });
    await expect(early).rejects.toMatchObject({ code: 'CONFLICT', details: { ...by, version } });
    expect(orders.intended(id)).toMatchObject({ actor: 'ada', reason: 'as ada says' });

    await actAs('ben', 'order.intend', { id, version });
    expect(orders.intended(id)).toMatchObject({ actor: 'ben' });
    await actAs('ada', 'order.unintend', { id, version: orders.intended(id)?.at ?? 0 });
    const gone = actAs('ben', 'order.unintend', { id, version });
    await expect(gone).rejects.toMatchObject({
      ...{ code: 'CONFLICT', details: { ...by, version: null } },
    });
    await expect(gone).rejects.toThrow('ada took it back meanwhile');
    expect(await act('order.intend', id)).toMatchObject({ outcome: 'intended' });
  });

  it('must be there, and is an operator to say', async () => {
    const codeOf = async (acted: Promise<unknown>): Promise<unknown> => {
      const error: unknown = await acted.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      return isCodedError(error) ? error.code : error;
    };
    expect(await codeOf(act('order.intend', 'none'))).toBe('NOT_FOUND');
    expect(await codeOf(act('order.unintend', 'none'))).toBe('NOT_FOUND');
    const input = { id: 'none', reason: 'never at the same time' };
    expect(await codeOf(runAction(server.as('viewer'), 'order.intend', input))).toBe('FORBIDDEN');
  });
});

const byName = (a: Order, b: Order): number =>
  `${a.first} ${a.second}` < `${b.first} ${b.second}` ? -1 : 1;

describe('what was learnt of orders', () => {
  it('is there after a restart, with what is meant', async () => {
    const [x, y] = [name('x'), name('y')];
    await nest(A, x, y);
    await nest(B, y, x);
    const { subject } = await alert();
    const order = subject.deadlockId ?? '';
    await runAction(server.as('operator'), 'order.intend', { id: order, reason: 'as it is' });
    const { store, config, table, watch, analysis, now } = server.context;
    const kept = { store, target: TARGET };
    await createOrderKeeper({ ...kept, orders: analysis.orders }).save();

    const next = createAnalysis(config);
    const judge = (): Finding[] => next.findings(table, watch.status(), now());
    const toldNow = (): string[] =>
      judge().flatMap((each) => (each.code === 'order-inversion' ? [inEnglish(each.summary)] : []));
    const keeper = createOrderKeeper({ ...kept, orders: next.orders });
    await keeper.restore();
    await createIntendedOrders({ ...kept, orders: next.orders }).restore();
    expect(toldNow().filter((each) => each.includes(x))).toEqual([]);
    expect(next.orders.predicted().find(({ id }) => id === order)?.intended?.reason).toBe(
      'as it is',
    );
    next.orders.unintend(order);
    expect(toldNow().filter((each) => each.includes(x))).toHaveLength(1);
    expect(next.orders.orders().toSorted(byName)).toEqual(
      analysis.orders.orders().toSorted(byName),
    );

    const other = createAnalysis(config);
    await createOrderKeeper({ store, target: 'another', orders: other.orders }).restore();
    expect(other.orders.orders()).toEqual([]);
    await store.saveDocument({ kind: 'lock-order', id: TARGET, value: { version: 99 } });
    await createOrderKeeper({ ...kept, orders: other.orders }).restore();
    expect(other.orders.orders()).toEqual([]);
  });
});
