import { Redlock as Sesamecare } from '@sesamecare-oss/redlock';
import Redlock5 from 'redlock';
import Redlock4 from 'redlock-4';
import { connect, retriesFor } from './connection.mjs';
import { Using } from './using.mjs';

const LEASE_MS = 10_000;

/** Version 4 takes its count of retries for each call, and 0 as its default. */
export const redlock4 = {
  name: 'redlock-4',
  folder: 'redlock-4',
  open: ({ port, options }) => {
    const waiting = new Redlock4([connect(port, options)]);
    const asking = new Redlock4([connect(port, options)], { retryCount: 0 });
    const locks = new Map();
    const kept = (name, lock) => {
      locks.set(name, lock);
      return { held: true, owner: lock.value, depth: null };
    };
    return {
      acquire: async (name, { leaseMs = LEASE_MS, retryMs = 200, ...wait }) => {
        const settings = { retryCount: retriesFor(wait, retryMs), retryDelay: retryMs };
        return kept(name, await waiting.acquireWithOptions(name, leaseMs, settings));
      },
      tryAcquire: async (name, { leaseMs = LEASE_MS }) => {
        try {
          return kept(name, await asking.acquire(name, leaseMs));
        } catch (error) {
          if (error.name !== 'LockError') throw error;
          return { held: false };
        }
      },
      release: async (name) => {
        await locks.get(name).unlock();
      },
      extend: async (name, { leaseMs }) => {
        await locks.get(name).extend(leaseMs);
      },
    };
  },
};

/** Version 5 and what was made of it have one interface. */
function openRedlock5(Redlock, ownerInUsing, { port, options, tell }) {
  const redlock = new Redlock([connect(port, options)]);
  redlock.on('error', () => undefined);
  const locks = new Map();
  const using = new Using(tell);
  const kept = (name, lock) => {
    locks.set(name, lock);
    return { held: true, owner: lock.value, depth: null };
  };
  const settings = (given, retryMs) => ({
    retryCount: retriesFor(given, retryMs),
    retryDelay: retryMs,
    retryJitter: retryMs / 2,
  });
  return {
    acquire: async (name, { leaseMs = LEASE_MS, retryMs = 200, renew, ...wait }) => {
      const given = settings(wait, retryMs);
      if (!renew) return kept(name, await redlock.acquire([name], leaseMs, given));
      // Its own retries: they also say how soon a failed extension is told.
      return await using.enter(name, (work) =>
        redlock.using([name], leaseMs, {}, async (signal, context) => {
          await work(signal, { owner: ownerInUsing(context) });
        }),
      );
    },
    tryAcquire: async (name, { leaseMs = LEASE_MS }) => {
      try {
        return kept(name, await redlock.acquire([name], leaseMs, { retryCount: 0 }));
      } catch (error) {
        if (error.name !== 'ExecutionError' && !/quorum/.test(error.message)) throw error;
        return { held: false };
      }
    },
    release: async (name) => {
      if (using.has(name)) return await using.leave(name);
      await locks.get(name).release();
      return {};
    },
    extend: async (name, { leaseMs }) => {
      locks.set(name, await locks.get(name).extend(leaseMs));
    },
  };
}

export const redlock5 = {
  name: 'redlock-5',
  folder: 'redlock',
  // Its routine is given nothing but the signal.
  open: (given) => openRedlock5(Redlock5, () => null, given),
};

export const sesamecare = {
  name: 'sesamecare-redlock',
  folder: '@sesamecare-oss/redlock',
  open: (given) => openRedlock5(Sesamecare, (context) => context.lock.value, given),
};
