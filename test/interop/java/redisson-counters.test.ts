import type { Redis } from 'ioredis';
import { beforeAll, expect } from 'vitest';
import { describeLibrary } from '@/test/interop/suite';
import { java } from '@/test/interop/java/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(java);

/** A bare number in a declared name is anybody's: an operator says what it is. */
const PINS = ['redisson-permits', 'redisson-semaphore', 'redisson-latch'];

beforeAll(async () => {
  const [target] = await world.console.query('targets');
  for (const format of PINS) {
    const body = { target: target?.id, pattern: `it:${format}:*`, format, reason: 'they are' };
    const answer = await world.console.request('POST', '/api/v1/pins', { body });
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
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
