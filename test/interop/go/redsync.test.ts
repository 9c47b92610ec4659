import { expect, it } from 'vitest';
import { alertAbout } from '@/test/interop/alert';
import { go } from '@/test/interop/go/ecosystem';
import { describeLibrary } from '@/test/interop/suite';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(go);

describeLibrary(world, {
  library: 'redsync',
  title: 'redsync, one pool',
  format: { id: 'redsync', certain: true },
  kind: 'mutex',
  leaseMs: 20_000,
  extends: true,
  waits: { pollMs: 250, sources: ['poll', 'idle-time'], count: null, touches: true },
  release: { oldHolder: 'error' },
});

it('an extension with SetNX makes a released redsync lock anew, and an alert says so', async () => {
  const name = 'it:redsync:set-nx';
  const client = world.peer.client('redsync', 'set-nx');
  const { value } = await client.ask('acquire', name, { leaseMs: 20_000, setNx: true });
  const lock = await world.console.heldBy(name, value.owner ?? '');
  const answer = await world.console.release(name, {
    version: lock.hold?.version,
    reason: 'before it is extended',
  });
  expect(answer.body).toMatchObject({ outcome: 'released', cameBack: false });
  await client.ask('extend', name, { leaseMs: 20_000, setNx: true });
  const again = await world.console.heldBy(name, value.owner ?? '');
  expect(again.acquisitions).toBe(2);
  await alertAbout(world, 'came-back', name);
  await client.ask('release', name);
});
