import { describeLibrary } from '@/test/interop/suite';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node);

const POLLS = { sources: ['poll', 'idle-time'], touches: true, count: null } as const;

describeLibrary(world, {
  library: 'ioredis-lock',
  title: '@microfleet/ioredis-lock',
  format: { id: 'ioredis-lock', certain: false },
  kind: 'mutex',
  leaseMs: 20_000,
  extends: true,
  waits: { ...POLLS, pollMs: 50 },
  release: { oldHolder: 'error' },
});

describeLibrary(world, {
  library: 'warlock',
  title: 'node-redis-warlock',
  format: { id: 'warlock', certain: true },
  kind: 'mutex',
  keyOf: (name) => `${name}:lock`,
  leaseMs: 20_000,
  extends: true,
  waits: { ...POLLS, pollMs: 100 },
  release: { oldHolder: 'says-false' },
});

describeLibrary(world, {
  library: 'verrou',
  title: '@verrou/core',
  format: { id: 'verrou', certain: false, first: true },
  kind: 'mutex',
  leaseMs: 20_000,
  extends: true,
  waits: { ...POLLS, pollMs: 250 },
  release: { oldHolder: 'error' },
});

describeLibrary(world, {
  library: 'locco',
  title: '@kontsedal/locco',
  format: { id: 'locco', certain: false },
  kind: 'mutex',
  leaseMs: 20_000,
  extends: true,
  waits: { ...POLLS, pollMs: 200 },
  release: { oldHolder: 'silent' },
});
