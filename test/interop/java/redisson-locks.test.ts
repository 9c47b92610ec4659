import type { Redis } from 'ioredis';
import { describeLibrary } from '@/test/interop/suite';
import type { LibrarySpec } from '@/test/interop/library-spec';
import { java } from '@/test/interop/java/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(java);

const listensTo =
  (channelOf: (key: string) => string) =>
  async (client: Redis, key: string): Promise<boolean> =>
    (await client.pubsub('NUMSUB', channelOf(key)))[1] === 1;

const LOCK_CHANNEL = listensTo((key) => `redisson_lock__channel:{${key}}`);

const WOKEN = { otherwiseMs: 20_000, wokeWaiters: 1 } as const;

const COMMON = {
  kind: 'mutex',
  format: { id: 'redisson', certain: true },
  leaseMs: 20_000,
  isReentrant: true,
  renews: { options: {}, leaseMs: 1500, withinMs: 700 },
  waits: { pollMs: 20_000, sources: ['pubsub'], count: 1 },
  wakes: { ...WOKEN, isWaiting: LOCK_CHANNEL },
  release: { oldHolder: 'error' },
} as const satisfies Omit<LibrarySpec, 'library' | 'title'>;

describeLibrary(world, { ...COMMON, library: 'redisson-lock', title: 'Redisson RLock' });

describeLibrary(world, {
  ...COMMON,
  library: 'redisson-fenced',
  title: 'Redisson RFencedLock',
});

describeLibrary(world, {
  ...COMMON,
  library: 'redisson-fair',
  title: 'Redisson fair lock',
  waits: { pollMs: 20_000, sources: ['fair-queue'], count: 1, areNamed: true },
  wakes: {
    ...WOKEN,
    isWaiting: async (client, key) => {
      const [head = ''] = await client.lrange(`redisson_lock_queue:{${key}}`, 0, 0);
      return await listensTo(() => `redisson_lock__channel:{${key}}:${head}`)(client, key);
    },
  },
  notes: ['looks like an RLock until somebody stands in its queue'],
});

describeLibrary(world, {
  ...COMMON,
  library: 'redisson-read-write',
  title: 'Redisson RReadWriteLock',
  kind: 'read-write',
  format: { id: 'redisson-read-write', certain: true },
  options: { side: 'write' },
  shared: { options: { side: 'read' }, isFull: false, role: 'reader' },
  wakes: { ...WOKEN, isWaiting: listensTo((key) => `redisson_rwlock:{${key}}`) },
});

describeLibrary(world, {
  ...COMMON,
  library: 'redisson-spin',
  title: 'Redisson spin lock',
  waits: { pollMs: 128, sources: ['pubsub'], count: 0 },
  wakes: undefined,
  notes: ['looks like an RLock, and its waiters, who poll, cannot be counted'],
});

describeLibrary(world, {
  ...COMMON,
  library: 'redisson-multi-lock',
  title: 'Redisson multi-lock of one',
});

describeLibrary(world, {
  ...COMMON,
  library: 'redisson-faster-multi-lock',
  title: 'Redisson faster multi-lock',
  format: { id: 'redisson-multi-lock', certain: true },
});
