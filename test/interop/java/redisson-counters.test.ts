import type { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeLibrary } from '@/test/interop/suite';
import { java } from '@/test/interop/java/ecosystem';
import { act, pin, releaseShown, untilHeldBy, untilShown } from '@/test/interop/java/operator';
import { expectSameMoment } from '@/test/interop/teller';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(java);

/** A bare number in a declared name is anybody's: an operator says what it is. */
const PINS = ['redisson-permits', 'redisson-semaphore', 'redisson-latch'];

beforeAll(async () => {
  for (const format of PINS) await pin(world, `it:${format}:*`, format);
  // Deadlines are made before they are sent: what a JVM does for the first time comes between.
  for (const name of ['a', 'b']) {
    const client = world.peer.client('redisson-permits', name);
    await client.ask('acquire', 'warm-up', { limit: 2 });
    await client.ask('release', 'warm-up');
  }
});

const WOKEN = { otherwiseMs: 20_000, wokeWaiters: 1 } as const;

const listensTo =
  (channelOf: (key: string) => string) =>
  async (client: Redis, key: string): Promise<boolean> =>
    (await client.pubsub('NUMSUB', channelOf(key)))[1] === 1;

const SEMAPHORE_CHANNEL = listensTo((key) => `redisson_sc:{${key}}`);

describeLibrary(world, {
  library: 'redisson-permits',
  title: 'Redisson RPermitExpirableSemaphore',
  format: { id: 'redisson-permits', certain: true },
  kind: 'semaphore',
  options: { limit: 1 },
  leaseMs: 20_000,
  extends: true,
  shared: { options: { limit: 2 }, isFull: true, role: 'permit' },
  waits: { pollMs: 20_000, sources: ['pubsub'], count: 1 },
  wakes: { ...WOKEN, isWaiting: SEMAPHORE_CHANNEL },
  releaseEvents: ['incrby'],
  release: { oldHolder: 'error' },
});

describeLibrary(world, {
  library: 'redisson-semaphore',
  title: 'Redisson RSemaphore',
  format: { id: 'redisson-semaphore', certain: true },
  kind: 'semaphore',
  options: { limit: 1 },
  leaseMs: null,
  lapseMs: null,
  wakes: { ...WOKEN, isWaiting: SEMAPHORE_CHANNEL },
  releaseEvents: ['incrby'],
  release: { oldHolder: 'deletes-anyway' },
});

describeLibrary(world, {
  library: 'redisson-latch',
  title: 'Redisson RCountDownLatch',
  format: { id: 'redisson-latch', certain: true },
  kind: 'latch',
  leaseMs: null,
  lapseMs: null,
  wakes: {
    ...WOKEN,
    isWaiting: listensTo((key) => `redisson_countdownlatch__channel__{${key}}`),
  },
  release: { oldHolder: 'deletes-anyway' },
});

describe('Redisson RSemaphore', () => {
  it('is known by whoever waits for it, and a release adds the permit that wakes the waiter', async () => {
    const name = 'it:semaphore';
    const [a, b] = ['a', 'b'].map((each) => world.peer.client('redisson-semaphore', each));
    await a?.ask('acquire', name, { limit: 1 });
    const waiting = b?.ask('acquire', name, { limit: 1 });
    const waited = await untilShown(world, name, ({ waiting: { count } }) => count === 1);
    expect(waited).toMatchObject({
      format: 'redisson-semaphore',
      permits: { free: 0 },
      waiting: { source: 'pubsub', evidence: 'observed' },
    });
    expect(await releaseShown(world, waited)).toMatchObject({ wokeWaiters: 1, cameBack: false });
    expect((await waiting)?.value.held).toBe(true);
    expect(await world.console.alerts('came-back')).toEqual([]);
    await a?.ask('release', name);
    await b?.ask('release', name);
    await untilShown(world, name, ({ permits }) => permits?.free === 2);
  });

  it('shows how many permits are left', async () => {
    const name = 'it:redisson-semaphore:left';
    const a = world.peer.client('redisson-semaphore', 'a');
    await a.ask('acquire', name, { limit: 5, permits: 2 });
    await untilShown(world, name, ({ permits, state }) => permits?.free === 3 && state === 'free');
    await a.ask('acquire', name, { limit: 5, permits: 3 });
    await untilShown(world, name, ({ permits, state }) => permits?.free === 0 && state === 'held');
    await a.ask('release', name, { permits: 5 });
    await untilShown(world, name, ({ permits }) => permits?.free === 5);
  });
});

describe('Redisson RPermitExpirableSemaphore', () => {
  it('gives each permit its own deadline, and takes one back', async () => {
    const name = 'it:redisson-permits:each';
    const [a, b] = ['a', 'b'].map((each) => world.peer.client('redisson-permits', each));
    const first = await a?.ask('acquire', name, { limit: 3, leaseMs: 20_000 });
    const second = await b?.ask('acquire', name, { limit: 3, leaseMs: 40_000 });
    const lock = await untilShown(world, name, ({ members }) => members.length === 2);
    expect(lock.permits).toEqual({ total: 3, free: 1 });
    const endOf = (id: string | null | undefined): number =>
      lock.members.find((member) => member.id === id)?.deadline ?? 0;
    expectSameMoment('the first lease ends', endOf(first?.value.owner), (first?.at ?? 0) + 20_000);
    expectSameMoment(
      'the second lease ends',
      endOf(second?.value.owner),
      (second?.at ?? 0) + 40_000,
    );
    const member = first?.value.owner;
    await act(world, name, 'remove-member', { member, version: lock.hold?.version });
    const left = await untilHeldBy(world, name, second?.value.owner);
    expect(left).toMatchObject({ permits: { total: 3, free: 2 }, members: [{ stale: false }] });
    await expect(a?.ask('release', name)).rejects.toMatchObject({ kind: 'not-held' });
    await b?.ask('release', name);
    await untilShown(world, name, ({ permits }) => permits?.free === 3);
  });
});

describe('Redisson RCountDownLatch', () => {
  it('is shown with its count and with who awaits it, and is opened by a release', async () => {
    const name = 'it:redisson-latch:awaited';
    const [a, b] = ['a', 'b'].map((each) => world.peer.client('redisson-latch', each));
    await a?.ask('acquire', name, { count: 3 });
    const awaiting = b?.ask('acquire', name);
    await a?.ask('release', name);
    const lock = await untilShown(
      world,
      name,
      ({ waiting, hold }) => waiting.count === 1 && hold?.depth === 2,
    );
    expect(lock).toMatchObject({ kind: 'latch', waiting: { source: 'pubsub' } });
    expect(await releaseShown(world, lock)).toMatchObject({ wokeWaiters: 1 });
    expect((await awaiting)?.value.held).toBe(false);
    const open = await untilShown(world, name, ({ state }) => state === 'free');
    expect(open.lastEnd).toMatchObject({ reason: 'force-released' });
  });
});
