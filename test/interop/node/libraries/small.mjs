import { createRequire } from 'node:module';
import { createLock } from '@microfleet/ioredis-lock';
import { LockFactory } from '@verrou/core';
import { redisStore } from '@verrou/core/drivers/redis';
import { WAIT_MS, connect, retriesFor } from './connection.mjs';

const require = createRequire(import.meta.url);
// Its modules of the newer kind name their files without an extension, which Node refuses.
const { IoRedisAdapter, Locker, errors } = require('@kontsedal/locco');

export const ioredisLock = {
  name: 'ioredis-lock',
  folder: '@microfleet/ioredis-lock',
  open: ({ port, options }) => {
    const client = connect(port, options);
    const locks = new Map();
    const take = async (name, settings) => {
      const lock = createLock(client, settings);
      await lock.acquire(name);
      locks.set(name, lock);
      return { held: true, owner: lock._id, depth: null };
    };
    return {
      acquire: async (name, { leaseMs = 10_000, retryMs = 50, ...wait }) =>
        await take(name, {
          timeout: leaseMs,
          retries: retriesFor(wait, retryMs),
          delay: retryMs,
          jitter: 1,
        }),
      tryAcquire: async (name, { leaseMs = 10_000 }) => {
        try {
          return await take(name, { timeout: leaseMs, retries: 0 });
        } catch (error) {
          if (error.name !== 'LockAcquisitionError' && !/Could not acquire/.test(error.message))
            throw error;
          return { held: false };
        }
      },
      release: async (name) => {
        await locks.get(name).release();
        return {};
      },
      extend: async (name, { leaseMs }) => {
        await locks.get(name).extend(leaseMs);
        return {};
      },
    };
  },
};

/** Its waiting call tells no token, so that it asks once before it waits. */
export const warlock = {
  name: 'warlock',
  folder: 'node-redis-warlock',
  open: ({ port, options }) => {
    const client = require('redis').createClient({ host: '127.0.0.1', port, db: options.db ?? 0 });
    const locker = require('node-redis-warlock')(client);
    const held = new Map();
    const ask = async (name, leaseMs) =>
      await new Promise((resolve, reject) => {
        locker.lock(name, leaseMs, (error, unlock, id) => {
          if (error) reject(error);
          else if (!unlock) resolve({ held: false });
          else {
            held.set(name, { unlock, id });
            resolve({ held: true, owner: id, depth: null });
          }
        });
      });
    return {
      acquire: async (name, { leaseMs = 10_000, retryMs = 100, ...wait }) => {
        const first = await ask(name, leaseMs);
        if (first.held) return first;
        return await new Promise((resolve, reject) => {
          const done = (error, unlock) => {
            if (error) return reject(error);
            held.set(name, { unlock });
            return resolve({ held: true, owner: null, depth: null });
          };
          locker.optimistic(name, leaseMs, retriesFor(wait, retryMs), retryMs, done);
        });
      },
      tryAcquire: async (name, { leaseMs = 10_000 }) => await ask(name, leaseMs),
      release: async (name) =>
        await new Promise((resolve, reject) => {
          held
            .get(name)
            .unlock((error, count) => (error ? reject(error) : resolve({ released: count === 1 })));
        }),
      extend: async (name, { leaseMs }) => ({
        extended: (await locker.touch(name, held.get(name).id, leaseMs)) === 'OK',
      }),
    };
  },
};

export const verrou = {
  name: 'verrou',
  folder: '@verrou/core',
  open: ({ port, options }) => {
    const store = redisStore({ connection: connect(port, options) }).factory();
    const factory = new LockFactory(store);
    const locks = new Map();
    const take = async (name, leaseMs, acquire) => {
      const lock = factory.createLock(name, leaseMs);
      if (!(await acquire(lock))) return { held: false };
      locks.set(name, lock);
      return { held: true, owner: lock.getOwner(), depth: null };
    };
    return {
      acquire: async (name, { leaseMs = 30_000, retryMs = 250, waitMs = WAIT_MS }) => {
        const retry = { timeout: waitMs, delay: retryMs };
        const value = await take(name, leaseMs, (lock) => lock.acquire({ retry }));
        if (!value.held) throw new Error(`not locked within ${waitMs} ms`);
        return value;
      },
      tryAcquire: async (name, { leaseMs = 30_000 }) =>
        await take(name, leaseMs, (lock) => lock.acquireImmediately()),
      release: async (name) => {
        await locks.get(name).release();
        return {};
      },
      extend: async (name, { leaseMs }) => {
        await locks.get(name).extend(leaseMs);
        return {};
      },
    };
  },
};

export const locco = {
  name: 'locco',
  folder: '@kontsedal/locco',
  open: ({ port, options }) => {
    const adapter = new IoRedisAdapter({ client: connect(port, options) });
    const locks = new Map();
    const take = async (name, leaseMs, retrySettings) => {
      const lock = await new Locker({ adapter, retrySettings }).lock(name, leaseMs).acquire();
      locks.set(name, lock);
      return { held: true, owner: lock.uniqueValue, depth: null };
    };
    return {
      acquire: async (name, { leaseMs = 10_000, retryMs = 200, ...wait }) =>
        await take(name, leaseMs, { retryTimes: retriesFor(wait, retryMs), retryDelay: retryMs }),
      tryAcquire: async (name, { leaseMs = 10_000 }) => {
        try {
          return await take(name, leaseMs, { retryTimes: 1, retryDelay: 1 });
        } catch (error) {
          if (!(error instanceof errors.LoccoError)) throw error;
          return { held: false };
        }
      },
      // As its documentation shows it: a release that finds another's lock says nothing.
      release: async (name) => {
        await locks.get(name).release();
        return {};
      },
      extend: async (name, { leaseMs }) => {
        await locks.get(name).extend(leaseMs);
        return {};
      },
    };
  },
};
