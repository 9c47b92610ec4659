import { expect, it } from 'vitest';
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
  notes: ['read-only: the console releases none'],
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

it('an idle bullmq worker counts as nobody who waits for a job', async () => {
  const key = 'bull:it-bullmq-idle:job-a:lock';
  const working = world.peer.client('bullmq', 'working');
  const idle = world.peer.client('bullmq', 'idle');
  const acquired = await working.ask('acquire', 'it-bullmq-idle', { leaseMs: 30_000 });
  await idle.ask('idle', 'it-bullmq-idle');
  const lock = await world.console.heldBy(key, acquired.value.owner ?? '');
  expect(lock.waiting.count ?? 0).toBe(0);
  expect(lock.otherFormats ?? []).toEqual([]);
  const { value } = await working.ask('release', 'it-bullmq-idle');
  expect(value['outcome']).toBe('completed');
});
