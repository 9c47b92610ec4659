import { expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { alertAbout } from '@/test/interop/alert';
import { python } from '@/test/interop/python/ecosystem';
import { describeLibrary } from '@/test/interop/suite';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(python);

const COMMON = {
  kind: 'mutex',
  leaseMs: 20_000,
  extends: true,
  release: { oldHolder: 'error' },
} as const;

describeLibrary(world, {
  ...COMMON,
  library: 'pottery',
  title: 'pottery Redlock',
  // RedLock.net has the same prefix and the same values.
  format: { id: 'pottery', certain: false },
  keyOf: (name) => `redlock:${name}`,
  waits: { pollMs: 200, sources: ['poll', 'idle-time'], count: null, touches: true },
});

describeLibrary(world, {
  ...COMMON,
  library: 'aioredlock',
  title: 'aioredlock',
  format: { id: 'aioredlock', certain: false },
  renews: { options: {}, leaseMs: 1500, withinMs: 1000 },
  waits: { pollMs: 300, sources: ['poll', 'idle-time'], count: null, touches: true },
  notes: ['its renewal makes a released lock anew'],
});

it('the renewal of aioredlock makes a released lock anew, which the release and an alert tell', async () => {
  const name = 'it:aioredlock:back';
  const client = world.peer.client('aioredlock', 'back');
  const { value } = await client.ask('acquire', name, { leaseMs: 1500, renew: true });
  const lock = await until('how often it renews is known', async () => {
    const found = await world.console.detail(name);
    return found?.hold?.renewalIntervalMs != null ? found : undefined;
  });
  const answer = await world.console.release(name, {
    version: lock.hold?.version,
    reason: 'its holder renews by SET',
  });
  expect(answer.body).toMatchObject({
    outcome: 'released',
    cameBack: true,
    holderNoticed: 'came-back',
  });
  expect(await world.client.get(name)).toBe(value.owner);
  await alertAbout(world, 'came-back', name);
  await client.ask('release', name);
});
