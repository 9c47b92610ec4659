import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { createLockWorld, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { startNodeRedisson } from '@/test/support/lock-fleet/node-redisson-peer';
import type { Peer } from '@/test/support/lock-fleet/peer';
import { describeMeeting } from '@/test/lib/lock/contract/interop-suite';

let world: LockWorld;
let peer: Peer;

beforeAll(async () => {
  world = await createLockWorld();
  // One for all tests: the timers of its waits outlive them, and fail where its connections are closed.
  peer = startNodeRedisson(world.redis.port);
});
afterEach(async () => {
  await world.reset();
});
afterAll(async () => {
  await peer.stop();
  await world.stop();
});

describe('node-redisson', () => {
  // It asks first and listens then, so that it sleeps through a release in between.
  describeMeeting({ world: () => world, peer: () => peer, ttlMs: 1_500 });
});
