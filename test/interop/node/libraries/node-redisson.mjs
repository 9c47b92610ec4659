import { Redisson } from 'node-redisson';
import { WAIT_MS } from './connection.mjs';

/** `options.watchdogMs`: its lease where it renews, for the client's whole life. */
const mode = (name, eventAdapter) => ({
  name,
  folder: 'node-redisson',
  open: ({ port, options }) => {
    const redisson = new Redisson({
      redis: { options: { port, host: '127.0.0.1', db: options.db ?? 0 } },
      eventAdapter,
      lockWatchdogTimeout: BigInt(options.watchdogMs ?? 30_000),
    });
    const locks = new Map();
    const lockOf = (name, thread) => {
      const id = `${thread} ${name}`;
      const lock = locks.get(id) ?? redisson.getLock(name);
      locks.set(id, lock);
      return lock;
    };
    const known = (lock) => ({ held: true, owner: lock.getClientName(lock.clientId), depth: null });
    return {
      acquire: async (name, { thread, leaseMs = 30_000, renew, waitMs = WAIT_MS }) => {
        const lock = lockOf(name, thread);
        if (!(await lock.tryLock(waitMs, renew ? true : leaseMs))) {
          throw new Error(`not locked within ${waitMs} ms`);
        }
        return known(lock);
      },
      tryAcquire: async (name, { thread, leaseMs = 30_000 }) => {
        const lock = lockOf(name, thread);
        return (await lock.tryLock(0, leaseMs)) ? known(lock) : { held: false };
      },
      release: async (name, { thread }) => {
        await lockOf(name, thread).unlock();
        return {};
      },
    };
  },
});

export const nodeRedissons = [
  mode('node-redisson', 'pubsub'),
  mode('node-redisson-streams', 'streams'),
];
