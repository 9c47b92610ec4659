import { describeLibrary } from '@/test/interop/suite';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node);

const COMMON = {
  kind: 'job',
  keyOf: (name: string) => `bull:${name}:job-a:lock`,
  leaseMs: 30_000,
  renews: { options: {}, leaseMs: 2000, withinMs: 1500 },
  lapseMs: null,
  release: { isRefused: true, oldHolder: 'error' },
} as const;

describeLibrary(world, {
  ...COMMON,
  library: 'bullmq',
  title: 'bullmq',
  format: { id: 'bullmq', certain: true },
  nameOf: (n) => `it-bullmq-${n}`,
});

describeLibrary(world, {
  ...COMMON,
  library: 'bull',
  title: 'bull',
  format: { id: 'bull', certain: true },
  nameOf: (n) => `it-bull-${n}`,
});
