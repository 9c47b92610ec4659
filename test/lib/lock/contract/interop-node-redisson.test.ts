import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { createLockWorld, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { startNodeRedisson } from '@/test/support/lock-fleet/node-redisson-peer';
import type { Peer } from '@/test/support/lock-fleet/peer';
import { describeMeeting } from '@/test/lib/lock/contract/interop-suite';

let world: LockWorld;
let peer: Peer;

beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(() => {
  peer = startNodeRedisson(world.redis.port);
});
afterEach(async () => {
  await peer.stop();
  await world.reset();
});
afterAll(async () => {
  await world.stop();
});

describe('node-redisson', () => {
  // It asks first and listens then, so that it sleeps through a release in between.
  describeMeeting({ world: () => world, peer: () => peer, ttlMs: 400 });
});
