import { Redis } from 'ioredis';
import { MultiSemaphore, Mutex, RedlockMutex, Semaphore } from 'redis-semaphore';
import { WAIT_MS, connect } from './connection.mjs';

const timeouts = ({ leaseMs = 10_000, retryMs = 10, waitMs = WAIT_MS, renew }, onLockLost) => ({
  lockTimeout: leaseMs,
  acquireTimeout: waitMs,
  retryInterval: retryMs,
  // Left out it is four fifths of the lease.
  ...(renew ? {} : { refreshInterval: 0 }),
  onLockLost,
});

/** All its locks have one interface; `make` makes one. */
function open(make, { tell }) {
  const locks = new Map();
  const lockOf = (name, options) =>
    make(
      name,
      options,
      timeouts(options, (error) => tell(name, error.message)),
    );
  const known = (lock, { permits = 1 }, isMulti) => {
    const owners = Array.from({ length: permits }, (_, i) => `${lock.identifier}_${i}`);
    const named = isMulti ? { owner: owners[0], owners } : { owner: lock.identifier };
    return { held: true, depth: null, ...named };
  };
  const attempt = async (name, options) => {
    const lock = lockOf(name, options);
    if (!(await lock.tryAcquire())) return { held: false };
    locks.set(name, lock);
    return known(lock, options, lock instanceof MultiSemaphore);
  };
  return {
    acquire: async (name, options) => {
      const lock = lockOf(name, options);
      await lock.acquire();
      locks.set(name, lock);
      return known(lock, options, lock instanceof MultiSemaphore);
    },
    tryAcquire: async (name, options) =>
      await attempt(name, { ...options, waitMs: 1, retryMs: 1000 }),
    release: async (name) => {
      await locks.get(name).release();
      return {};
    },
    state: async (name) => ({ held: locks.get(name)?.isAcquired ?? false }),
  };
}

const KINDS = {
  'redis-semaphore-mutex': (client) => (name, _, given) => new Mutex(client, name, given),
  'redis-semaphore': (client) => (name, options, given) =>
    new Semaphore(client, name, options.limit ?? 1, given),
  'redis-semaphore-multi': (client) => (name, options, given) =>
    new MultiSemaphore(client, name, options.limit ?? 2, options.permits ?? 1, given),
};

const single = Object.entries(KINDS).map(([name, make]) => ({
  name,
  folder: 'redis-semaphore',
  open: (given) => open(make(connect(given.port, given.options)), given),
}));

/** `options.ports`: the other servers beside the watched one. */
const redlockMutex = {
  name: 'redis-semaphore-redlock-mutex',
  folder: 'redis-semaphore',
  open: (given) => {
    const ports = [given.port, ...(given.options.ports ?? [])];
    const clients = ports.map((port) => new Redis({ host: '127.0.0.1', port }));
    return open((name, _, settings) => new RedlockMutex(clients, name, settings), given);
  },
};

export const redisSemaphores = [...single, redlockMutex];
