import { IoredisAdapter, createLock } from 'redlock-universal';
import { connect, retriesFor } from './connection.mjs';
import { Using } from './using.mjs';

export const redlockUniversal = {
  name: 'redlock-universal',
  folder: 'redlock-universal',
  open: ({ port, options, tell }) => {
    const adapter = new IoredisAdapter(connect(port, options));
    const held = new Map();
    const using = new Using(tell);
    const lockOf = (name, { leaseMs = 30_000, retryMs = 100, retryAttempts, ...wait }) =>
      createLock({
        adapter,
        key: name,
        ttl: leaseMs,
        retryAttempts: retryAttempts ?? retriesFor(wait, retryMs),
        retryDelay: retryMs,
      });
    const take = async (name, lock) => {
      const handle = await lock.acquire();
      held.set(name, { lock, handle });
      return { held: true, owner: handle.value, depth: null };
    };
    return {
      acquire: async (name, given) => {
        const lock = lockOf(name, given);
        if (!given.renew) return await take(name, lock);
        return await using.enter(name, (work) =>
          lock.using((signal) => work(signal, { owner: null })),
        );
      },
      tryAcquire: async (name, given) => {
        try {
          return await take(name, lockOf(name, { ...given, retryAttempts: 0 }));
        } catch (error) {
          if (error.name !== 'LockAcquisitionError') throw error;
          return { held: false };
        }
      },
      release: async (name) => {
        if (using.has(name)) return await using.leave(name);
        const { lock, handle } = held.get(name);
        return { released: await lock.release(handle) };
      },
      extend: async (name, { leaseMs }) => {
        const { lock, handle } = held.get(name);
        return { extended: await lock.extend(handle, leaseMs) };
      },
    };
  },
};
