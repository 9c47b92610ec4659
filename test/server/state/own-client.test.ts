import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import type { LockClient, LockClientOptions } from '@/lib/lock/index';
import { toLock } from '@/server/state/view';
import { until } from '@/test/support/until';
import { pause } from '@/test/support/pause';
import { startLive, type Live } from './live-redis';

const clients: LockClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

function clientOf({ redis }: Live, options: Partial<LockClientOptions> = {}): LockClient {
  const client = createLockClient({ redis, allowInsecure: true, ...options });
  clients.push(client);
  return client;
}

const waitsOf = ({ changes }: Live) => changes.filter((change) => change.kind === 'wait-ended');
const held = async (live: Live, key: string, owner: string) =>
  await until(`${owner} holds ${key}`, () => {
    const hold = live.lock(key)?.hold;
    return hold?.token === owner ? hold : undefined;
  });

describe('a mutex of our own client, as the console sees it', () => {
  it('shows who holds it, for what, on which machine, and with which fencing token', async () => {
    const live = await startLive();
    const client = clientOf(live, { app: 'order-sync' });
    const lock = await client.acquire('order_sync:17', { businessId: 'SO-17' });
    const hold = await held(live, lock.key, lock.owner);
    await until('the instance is known', () => hold.owner?.app && hold.businessId);
    expect(hold.owner).toMatchObject({
      instance: client.instance,
      app: 'order-sync',
      pid: process.pid,
      liveness: 'seen',
    });
    expect(hold).toMatchObject({ businessId: 'SO-17', sinceEvidence: 'observed' });
    await until('the fence is read', () => hold.fence === `${lock.fence}`);
    await lock.release();
    const [ended] = await live.ended(lock.key);
    expect(ended).toMatchObject({ endReason: 'released', endEvidence: 'observed' });
  });

  it('names who waits, for what, and counts the wait once and exactly', async () => {
    const live = await startLive();
    const [one, two] = [clientOf(live), clientOf(live, { app: 'second' })];
    const first = await one.acquire('a');
    const waiting = two.acquire('a', { businessId: 'SO-2' });
    const [waiter] = await until('the waiter is named', () => {
      const queue = live.lock(first.key)?.queue ?? [];
      return queue.some(({ businessId, by }) => businessId && by.app) ? queue : undefined;
    });
    expect(waiter).toMatchObject({ alive: true, businessId: 'SO-2', by: { app: 'second' } });
    await pause(100);
    await first.release();
    const second = await waiting;
    await held(live, second.key, second.owner);
    const [wait] = await until('the wait is reported', () => {
      const waits = waitsOf(live);
      return waits.length > 0 ? waits : undefined;
    });
    expect(wait).toMatchObject({ owner: second.owner, evidence: 'observed', outcome: 'granted' });
    await second.release();
    await pause(600);
    expect(waitsOf(live)).toHaveLength(1);
  });

  it('that is handed on was released, and never taken over', async () => {
    const live = await startLive();
    const client = clientOf(live);
    const other = clientOf(live);
    let isFirst = true;
    const work = async (): Promise<void> => {
      if (!isFirst) return await pause(80);
      isFirst = false;
      await until('all others wait', () => live.lock('qoder:lock:hot')?.queue.length === 5);
    };
    const works = Array.from({ length: 6 }, (_, i) => (i % 2 ? client : other).using('hot', work));
    await Promise.all(works);
    const ended = await until('all have ended', () => {
      const holds = live.lock('qoder:lock:hot')?.ended ?? [];
      return holds.length === 6 ? holds : undefined;
    });
    expect(ended.map(({ endReason }) => endReason)).toEqual(Array(6).fill('released'));
    expect(ended.map(({ renewals }) => renewals)).toEqual(Array(6).fill(0));
    await until('every wait is reported', () => waitsOf(live).length >= 5);
    await pause(500);
    expect(waitsOf(live)).toHaveLength(5);
    for (const wait of waitsOf(live)) expect(wait).toMatchObject({ evidence: 'observed' });
  });

  it('tells who gave up waiting, and how long that took', async () => {
    const live = await startLive();
    const client = clientOf(live);
    const first = await client.acquire('b');
    await expect(client.acquire('b', { waitMs: 200 })).rejects.toThrow();
    const wait = await until('the wait is reported', () =>
      waitsOf(live).find(({ source }) => source === 'report'),
    );
    expect(wait).toMatchObject({ outcome: 'left', evidence: 'observed' });
    await first.release();
    await pause(400);
    expect(waitsOf(live)).toHaveLength(1);
  });

  it('that reports nothing has its waits counted by its place in the queue', async () => {
    const live = await startLive();
    const client = clientOf(live, { reports: 'off' });
    const first = await client.acquire('quiet');
    const waiting = client.acquire('quiet');
    await until('it waits', () => live.lock(first.key)?.queue.length);
    await first.release();
    const second = await waiting;
    const wait = await until('the wait is counted', () => waitsOf(live)[0]);
    expect(wait).toMatchObject({ owner: second.owner, source: 'fair-queue', outcome: 'granted' });
    await second.release();
  });

  it('whose holds are too short to be read is named by the reports of those that waited', async () => {
    const live = await startLive();
    const client = clientOf(live);
    const first = await client.acquire('c');
    const second = client.using('c', { businessId: 'SO-3' }, async (lock) => lock.owner);
    await until('it waits', () => live.lock(first.key)?.queue.length);
    await first.release();
    const owner = await second;
    const hold = await until('it is named', () =>
      live.lock('qoder:lock:c')?.ended.find(({ token }) => token === owner),
    );
    await until('its business is known', () => hold.businessId === 'SO-3');
    expect(hold.endReason).toBe('released');
  });

  it('under another prefix is met all the same, by its owner', async () => {
    const live = await startLive('KEAn', true);
    const client = clientOf(live, { prefix: '' });
    const lock = await client.acquire('inv:9');
    await held(live, 'inv:9', lock.owner);
    expect(live.lock('inv:9')?.format.id).toBe('qoder');
    await lock.release();
  });
});

describe('the other kinds of our own client', () => {
  it('a semaphore lists its members with their deadlines', async () => {
    const live = await startLive();
    const client = clientOf(live, { app: 'exports' });
    const slots = client.semaphore('slots', 2);
    const [one, two] = [await slots.acquire(), await slots.acquire()];
    await until('both are inside', () => live.lock(one.key)?.members.length === 2);
    const lock = live.lock(one.key);
    expect(lock).toMatchObject({ format: { id: 'qoder-semaphore' }, state: 'held' });
    await until('they are known', () => lock?.members.every(({ owner }) => owner?.app));
    expect(lock?.members[0]?.deadline).toBeGreaterThan(Date.now() + 50_000);
    await one.release();
    await two.release();
    const ended = await live.ended(one.key);
    expect(ended.map(({ endReason }) => endReason)).not.toContain('lease-ended');
  });

  it('a read-write lock lists its readers and is not taken over when one leaves', async () => {
    const live = await startLive();
    const client = clientOf(live);
    const { read, write } = client.readWrite('doc');
    const [one, two] = [await read.acquire(), await read.acquire()];
    await until('both read', () => live.lock(one.key)?.members.length === 2);
    expect(live.lock(one.key)).toMatchObject({ format: { id: 'qoder-read-write' } });
    await one.release();
    await held(live, one.key, two.owner);
    await two.release();
    const writer = await write.acquire();
    await held(live, one.key, writer.owner);
    await writer.release();
    const ended = await live.ended(one.key);
    expect(ended.map(({ endReason }) => endReason)).toEqual(['released', 'released', 'released']);
  });
});

describe('a waiter of our own client', () => {
  it('says since when it waits and for what, also where nothing is reported', async () => {
    const early = await startLive();
    const client = clientOf(early, { reports: 'off' });
    const first = await client.acquire('wish');
    const before = Date.now();
    const second = client.acquire('wish', { businessId: 'SO-7' });
    await pause(400);
    const live = await startLive('KEAn', false, early.server);
    const waiter = await until('it is named', () => live.lock(first.key)?.queue[0]);
    expect(waiter).toMatchObject({ businessId: 'SO-7', alive: true });
    expect(Math.abs((waiter.since ?? 0) - before)).toBeLessThan(250);
    await first.release();
    await (await second).release();
  });
});

describe('a console that comes later', () => {
  it('knows since when a lock is held, and who waits since when', async () => {
    const early = await startLive();
    const client = clientOf(early);
    const before = Date.now();
    const first = await client.acquire('late');
    const second = client.acquire('late', { businessId: 'SO-9' });
    await pause(300);
    const live = await startLive('KEAn', false, early.server);
    const hold = await held(live, first.key, first.owner);
    expect(hold).toMatchObject({ sinceEvidence: 'observed' });
    expect(Math.abs(hold.since - before)).toBeLessThan(250);
    const lock = await until('the report is read', () => {
      const found = live.lock(first.key);
      return found?.queue[0]?.businessId ? found : undefined;
    });
    expect(Math.abs((lock.queue[0]?.since ?? 0) - before)).toBeLessThan(250);
    expect(toLock(lock, [], Date.now()).waiting).toMatchObject({
      count: 1,
      source: 'fair-queue',
      owners: [{ businessId: 'SO-9' }],
    });
    await first.release();
    await (await second).release();
  });

  it('learns the lease of a lock that was renewed before from its next renewal', async () => {
    const early = await startLive();
    const client = clientOf(early);
    const lock = await client.acquire('renewed', { ttlMs: 1500 });
    const renewed = await until('it is renewed', () => {
      const hold = early.lock(lock.key)?.hold;
      return hold && hold.renewals > 0 ? hold : undefined;
    });
    expect(renewed.leaseMs).toBe(1500);
    const live = await startLive('KEAn', false, early.server);
    const hold = await until('it is met', () => live.lock(lock.key)?.hold ?? undefined);
    await until('the lease is learnt', () => hold.leaseMs === 1500);
    await lock.release();
  });
});
