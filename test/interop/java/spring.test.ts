import { hostname } from 'node:os';
import { describeLibrary } from '@/test/interop/suite';
import type { LibrarySpec } from '@/test/interop/library-spec';
import { java } from '@/test/interop/java/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(java);

const escaped = hostname().replaceAll(/[^\w-]/g, '\\$&');

const SHEDLOCK = {
  format: { id: 'shedlock', certain: true },
  kind: 'mutex',
  keyOf: (name) => `job-lock:default:${name}`,
  ownerOf: () => new RegExp(`^ADDED:[-\\dT:.]+Z@${escaped}:[-0-9a-f]{36}$`),
  leaseMs: 20_000,
  extends: true,
} as const satisfies Omit<LibrarySpec, 'library' | 'title'>;

describeLibrary(world, {
  ...SHEDLOCK,
  library: 'shedlock',
  title: 'ShedLock',
  release: { oldHolder: 'deletes-anyway' },
});

describeLibrary(world, {
  ...SHEDLOCK,
  library: 'shedlock-safe',
  title: 'ShedLock with safeUpdate',
  release: { oldHolder: 'silent' },
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const REGISTRY = {
  format: { id: 'spring-registry', certain: false, first: true },
  kind: 'mutex',
  ownerOf: () => UUID,
  leaseMs: 20_000,
  renews: { options: {}, leaseMs: 1500, withinMs: 700 },
  extends: true,
  release: { oldHolder: 'error' },
} as const satisfies Omit<LibrarySpec, 'library' | 'title'>;

describeLibrary(world, {
  ...REGISTRY,
  library: 'spring-registry-spin',
  title: 'Spring RedisLockRegistry, spin',
  keyOf: (name) => `it:spring-registry-spin:${name}`,
  waits: { pollMs: 100, sources: ['poll', 'idle-time'], count: null, touches: true },
});

describeLibrary(world, {
  ...REGISTRY,
  library: 'spring-registry-pubsub',
  title: 'Spring RedisLockRegistry, pub-sub',
  keyOf: (name) => `it:spring-registry-pubsub:${name}`,
  waits: { pollMs: 20_000, sources: ['poll', 'idle-time'], count: null },
});
