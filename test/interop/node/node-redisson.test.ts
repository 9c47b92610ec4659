import { expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { describeLibrary } from '@/test/interop/suite';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node);

/** The timer of a wait unsubscribes its channel when the lease it waited for would have ended, whoever waits then. */
const BEYOND_THE_TEST = { leaseMs: 600_000 };

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
    options: BEYOND_THE_TEST,
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
  waits: { pollMs: 20_000, sources: ['blocked-clients'], count: null },
  wakes: {
    options: BEYOND_THE_TEST,
    otherwiseMs: 20_000,
    wokeWaiters: null,
    // Every instance reads the stream all the time: that it does says nothing of waiting.
    isWaiting: async () => true,
  },
});

/** CLIENT LIST, as far as it tells who has asked what last. */
async function clientLines(): Promise<{ id: string; command: string }[]> {
  const lines = String(await world.client.client('LIST')).split('\n');
  return lines.map((line) => ({
    id: /\bid=(\d+)/.exec(line)?.[1] ?? '',
    command: /\bcmd=(\S+)/.exec(line)?.[1] ?? '',
  }));
}

const isScript = ({ command }: { command: string }): boolean => /^eval(sha)?$/.test(command);

it('a waiter in streams mode is woken although nobody has unlocked in that mode before', async () => {
  const name = 'it:node-redisson-streams:first';
  const a = world.peer.client('node-redisson-streams', 'first-a');
  const b = world.peer.client('node-redisson-streams', 'first-b');
  await a.ask('acquire', name, { leaseMs: 60_000 });
  const lock = await until('it is held', async () => {
    const found = await world.console.detail(name);
    return found?.state === 'held' ? found : undefined;
  });
  // As on a Redis where the first release of all is a forced one.
  await world.client.del('redisson:events');
  const others = await clientLines();
  const waiter = b.ask('acquire', name, { leaseMs: 60_000, waitMs: 60_000 });
  await until('it has tried and waits', async () => {
    const lines = (await clientLines()).filter(({ id }) =>
      others.every((other) => other.id !== id),
    );
    return lines.some(({ command }) => command === 'xread') && lines.some(isScript);
  });
  const version = lock.hold?.version;
  const answer = await world.console.release(name, { version, reason: 'the first of all' });
  expect(answer.status).toBe(200);
  expect((await waiter).value.held).toBe(true);
});
