import { describe, expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { startPeer, type Answered } from '@/test/interop/peer-process';
import { java } from '@/test/interop/java/ecosystem';
import { act, releaseShown, untilHeldBy, untilShown } from '@/test/interop/java/operator';
import { expectSameMoment } from '@/test/interop/teller';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(java);

const LEASE = { leaseMs: 60_000 };

const clients = (library: string) =>
  ['a', 'b', 'c'].map((name) => world.peer.client(library, name));

/** Whether it has come back, without waiting for it. */
function watched(answer: Promise<Answered>): { answer: Promise<Answered>; isDone: () => boolean } {
  let isDone = false;
  answer.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  return { answer, isDone: () => isDone };
}

describe('the queue of a Redisson fair lock', () => {
  const untilQueued = async (name: string, count: number): Promise<string[]> =>
    await until(`${count} wait`, async () => {
      const queue = await world.client.lrange(`redisson_lock_queue:{${name}}`, 0, -1);
      return queue.length === count ? queue : undefined;
    });

  it('is shown in order, and a dead head is dropped so that the next goes on', async () => {
    const name = 'it:fair:queue';
    const [a, b, c] = clients('redisson-fair');
    const other = await startPeer(java, world.redis.port);
    await a?.ask('acquire', name, LEASE);
    // It ends before anybody answers.
    other
      .client('redisson-fair', 'x')
      .ask('acquire', name, LEASE)
      .catch(() => undefined);
    const [dead = ''] = await untilQueued(name, 1);
    const second = b?.ask('acquire', name, LEASE);
    await untilQueued(name, 2);
    const third = c?.ask('acquire', name, LEASE);
    const queue = await untilQueued(name, 3);
    const lock = await untilShown(
      world,
      name,
      ({ waiters }) => waiters.length === 3 && waiters.every(({ alive }) => alive === true),
    );
    expect(lock).toMatchObject({ format: 'redisson-fair', kind: 'fair' });
    expect(lock.waiters.map(({ id }) => id)).toEqual(queue);
    await other.stop();
    await untilShown(
      world,
      name,
      ({ waiters }) => waiters.map(({ alive }) => alive).join() === 'false,true,true',
    );
    await a?.ask('release', name);
    await untilShown(world, name, ({ state }) => state === 'orphan-queue');
    const dropped = await act(world, name, 'drop-waiter', { owner: dead });
    expect(dropped).toMatchObject({ outcome: 'dropped', wokeNext: true });
    expect((await second)?.value.owner).toBe(queue[1]);
    await untilHeldBy(world, name, queue[1]);
    await b?.ask('release', name);
    expect((await third)?.value.owner).toBe(queue[2]);
    await c?.ask('release', name);
    await untilShown(world, name, ({ state, waiters }) => state === 'free' && waiters.length === 0);
  });
});

describe('readers of a Redisson RReadWriteLock', () => {
  it('each have a deadline, and a waiting writer follows when the last has left', async () => {
    const name = 'it:read-write:readers';
    const [a, b, c] = clients('redisson-read-write');
    const first = await a?.ask('acquire', name, { side: 'read', leaseMs: 40_000 });
    const second = await b?.ask('acquire', name, { side: 'read', leaseMs: 60_000 });
    const lock = await untilShown(world, name, ({ members }) => members.length === 2);
    expect(lock).toMatchObject({ mode: 'read', kind: 'read-write' });
    const endOf = (id: string | null | undefined): number =>
      lock.members.find((member) => member.id === id)?.deadline ?? 0;
    expectSameMoment('the first lease ends', endOf(first?.value.owner), (first?.at ?? 0) + 40_000);
    expectSameMoment(
      'the second lease ends',
      endOf(second?.value.owner),
      (second?.at ?? 0) + 60_000,
    );
    const writer = watched(
      c?.ask('acquire', name, { side: 'write', ...LEASE }) ?? Promise.reject(new Error('no c')),
    );
    const waited = await untilShown(world, name, ({ waiting }) => waiting.count === 1);
    const member = first?.value.owner;
    await act(world, name, 'remove-member', { member, version: waited.hold?.version });
    const left = await untilHeldBy(world, name, second?.value.owner);
    expect(left.mode).toBe('read');
    expect(writer.isDone()).toBe(false);
    await b?.ask('release', name);
    const written = await writer.answer;
    const held = await untilHeldBy(world, name, written.value.owner);
    expect(held.mode).toBe('write');
    await expect(a?.ask('release', name)).rejects.toMatchObject({ kind: 'not-held' });
    await c?.ask('release', name);
    await untilShown(world, name, ({ state }) => state === 'free');
  });
});

describe('a Redisson multi-lock', () => {
  it('is one owner’s on each of its keys, and goes to the next when all are released', async () => {
    const name = 'it:multi:two';
    const [a, b] = clients('redisson-multi-lock');
    const options = { ...LEASE, keys: 2 };
    const { value } = (await a?.ask('acquire', name, options)) ?? {};
    const first = await untilHeldBy(world, `${name}:1`, value?.owner);
    const second = await untilHeldBy(world, `${name}:2`, value?.owner);
    const waiter = watched(b?.ask('acquire', name, options) ?? Promise.reject(new Error('no b')));
    await untilShown(world, `${name}:1`, ({ waiting }) => waiting.count === 1);
    await releaseShown(world, first);
    await untilShown(world, `${name}:2`, ({ waiting }) => waiting.count === 1);
    expect(waiter.isDone()).toBe(false);
    await releaseShown(world, second);
    const next = await waiter.answer;
    for (const key of [`${name}:1`, `${name}:2`]) {
      await untilHeldBy(world, key, next.value.owner);
    }
    await b?.ask('release', name);
    await untilShown(world, `${name}:2`, ({ state }) => state === 'free');
  });

  it('of one hash names everybody who holds a value of it', async () => {
    const name = 'it:multi:group';
    const [a, b] = clients('redisson-faster-multi-lock');
    const first = await a?.ask('acquire', name, { ...LEASE, values: 'one' });
    const second = await b?.ask('acquire', name, { ...LEASE, values: 'two,three' });
    const owners = [first?.value.owner, second?.value.owner].sort();
    const lock = await untilShown(world, name, ({ members }) => members.length === 2);
    expect(lock.members.map(({ id }) => id).sort()).toEqual(owners);
    await a?.ask('release', name);
    const left = await untilHeldBy(world, name, second?.value.owner);
    expect(left.members).toHaveLength(1);
    expect(left.holds.find(({ owner }) => owner === first?.value.owner)).toMatchObject({
      endReason: 'released',
    });
    await b?.ask('release', name);
    await untilShown(world, name, ({ state }) => state === 'free');
  });
});
