import { Redisson } from 'node-redisson';
import type { Peer } from '@/test/support/lock-fleet/peer';

export function startNodeRedisson(port: number): Peer {
  const redisson = new Redisson({
    redis: { options: { port, host: '127.0.0.1' } },
    eventAdapter: 'pubsub',
    lockWatchdogTimeout: 3_000n,
  });
  const lockOf = (actor: string, name: string): ReturnType<Redisson['getLock']> =>
    redisson.getLock(name, actor);
  return {
    lock: async (actor, name) => await lockOf(actor, name).lock(true),
    tryLock: async (actor, name) => await lockOf(actor, name).tryLock(0, true),
    unlock: async (actor, name) => await lockOf(actor, name).unlock(),
    stop: async () => await redisson.quit(),
  };
}
