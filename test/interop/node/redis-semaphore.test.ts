import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { describeLibrary } from '@/test/interop/suite';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node);

const COMMON = {
  leaseMs: 20_000,
  renews: { options: {}, leaseMs: 1500, withinMs: 1500 },
  waits: { pollMs: 10, sources: ['poll', 'idle-time'], touches: true, count: null },
  release: { oldHolder: 'silent', tells: true },
} as const;

describeLibrary(world, {
  ...COMMON,
  library: 'redis-semaphore-mutex',
  title: 'redis-semaphore Mutex',
  format: { id: 'redis-semaphore-mutex', certain: true },
  kind: 'mutex',
  keyOf: (name) => `mutex:${name}`,
});

describeLibrary(world, {
  ...COMMON,
  library: 'redis-semaphore',
  title: 'redis-semaphore Semaphore',
  format: { id: 'redis-semaphore', certain: true },
  kind: 'semaphore',
  keyOf: (name) => `semaphore:${name}`,
  options: { limit: 1 },
  shared: { options: { limit: 2 }, isFull: true },
});

describeLibrary(world, {
  ...COMMON,
  library: 'redis-semaphore-multi',
  title: 'redis-semaphore MultiSemaphore',
  format: { id: 'redis-semaphore', certain: true },
  kind: 'semaphore',
  keyOf: (name) => `semaphore:${name}`,
  options: { limit: 2, permits: 2 },
  shared: { options: { limit: 4, permits: 2 }, isFull: true },
});

describeLibrary(world, {
  ...COMMON,
  library: 'redis-semaphore-redlock-mutex',
  title: 'redis-semaphore RedlockMutex',
  notes: ['on three servers it comes back at its next refresh'],
  format: { id: 'redis-semaphore-mutex', certain: true },
  kind: 'mutex',
  keyOf: (name) => `mutex:${name}`,
});

/** Its servers beside the watched one. */
const others: TestRedis[] = [];
beforeAll(async () => {
  for (let i = 0; i < 2; i++) others.push(await startRedis());
});
afterAll(async () => {
  for (const redis of others) await redis.stop();
});

it('a RedlockMutex on three servers comes back on the one where it was released', async () => {
  const name = 'it:three';
  const client = world.peer.client('redis-semaphore-redlock-mutex', 'on-three');
  const ports = others.map(({ port }) => port);
  const acquired = await client.ask('acquire', name, { ports, leaseMs: 1500, renew: true });
  const { owner } = acquired.value;
  const lock = await world.console.heldBy(`mutex:${name}`, owner ?? '');
  await until('how often it renews is known', async () => {
    const found = await world.console.detail(`mutex:${name}`);
    return found?.hold?.renewalIntervalMs != null;
  });
  const answer = await world.console.release(`mutex:${name}`, {
    version: lock.hold?.version,
    reason: 'on one server of three',
  });
  expect(answer.body).toMatchObject({ outcome: 'released', cameBack: true });
  expect(await world.client.get(`mutex:${name}`)).toBe(owner);
  await client.ask('release', name);
});
