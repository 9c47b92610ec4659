import { describeLibrary } from '@/test/interop/suite';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node);

const COMMON = {
  leaseMs: 20_000,
  renews: { options: {}, leaseMs: 1500, withinMs: 1500 },
  waits: { pollMs: 10, sources: ['poll', 'idle-time'], count: null },
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
});

describeLibrary(world, {
  ...COMMON,
  library: 'redis-semaphore-multi',
  title: 'redis-semaphore MultiSemaphore',
  format: { id: 'redis-semaphore', certain: true },
  kind: 'semaphore',
  keyOf: (name) => `semaphore:${name}`,
  options: { limit: 2, permits: 2 },
});
