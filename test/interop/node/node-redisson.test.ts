import { describeLibrary } from '@/test/interop/suite';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node);

const COMMON = {
  kind: 'mutex',
  format: { id: 'node-redisson', certain: true },
  options: { watchdogMs: 1500 },
  leaseMs: 20_000,
  isReentrant: true,
  renews: { options: {}, leaseMs: 1500, withinMs: 700 },
  release: { oldHolder: 'error' },
} as const;

describeLibrary(world, {
  ...COMMON,
  library: 'node-redisson',
  title: 'node-redisson, pubsub',
  waits: { pollMs: 20_000, sources: ['pubsub'], count: 1 },
  wakes: {
    otherwiseMs: 20_000,
    wokeWaiters: 1,
    isWaiting: async (client, key) => {
      const reply = await client.pubsub('NUMSUB', `redisson_lock__channel:{${key}}`);
      return reply[1] === 1;
    },
  },
});

describeLibrary(world, {
  ...COMMON,
  library: 'node-redisson-streams',
  title: 'node-redisson, streams',
  waits: { pollMs: 20_000, sources: ['pubsub', 'blocked-clients', 'not-probed'], count: null },
  wakes: {
    otherwiseMs: 20_000,
    wokeWaiters: null,
    // Every instance reads the stream all the time: that it does says nothing of waiting.
    isWaiting: async () => true,
  },
});
