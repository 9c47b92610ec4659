import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReadObservation, SubscribersObservation } from './observation';

const CHANNELS_PER_CALL = 500;
const MAX_QUEUES = 10_000;

export interface ProbedLock {
  db: number;
  key: Bytes;
  channels: Bytes[];
}

/** Counts the subscribers of wake-up channels: the clients that wait for a lock. */
export interface WaiterProbe {
  /** One round over all locks asked for and all fair queues seen. */
  run: (redis: Redis) => Promise<void>;
  /** Remembers whose channel to ask for, for fair queues. */
  observe: (read: ReadObservation) => void;
  isAlive: (key: Bytes, owner: Bytes) => boolean | null;
}

interface Queue {
  db: number;
  key: Bytes;
  owners: { owner: Bytes; channel: Bytes }[];
}

export function createWaiterProbe(options: {
  probes: () => ProbedLock[];
  /** Null when the key's formats have no fair queue. */
  waiterChannel: (key: Bytes, owner: Bytes) => Bytes | null;
  deliver: (observations: SubscribersObservation[]) => void;
  /** A waiter of this key was found to be alive or gone. */
  onAlivenessChanged: (db: number, key: Bytes) => void;
  now: () => number;
}): WaiterProbe {
  const lastCounts = new Map<string, number>();
  const queues = new Map<string, Queue>();
  let alive = new Map<Bytes, boolean>();

  const count = async (redis: Redis, channels: readonly Bytes[]): Promise<Map<Bytes, number>> => {
    const counts = new Map<Bytes, number>();
    for (let i = 0; i < channels.length; i += CHANNELS_PER_CALL) {
      const part = channels.slice(i, i + CHANNELS_PER_CALL);
      const reply = await redis.callBuffer('PUBSUB', [
        'NUMSUB',
        ...part.map((channel) => Buffer.from(channel, 'latin1')),
      ]);
      // NUMSUB answers in the order asked: channel, count, channel, count…
      if (!Array.isArray(reply)) continue;
      part.forEach((channel, j) => counts.set(channel, Number(reply[2 * j + 1])));
    }
    return counts;
  };

  return {
    run: async (redis) => {
      const locks = options.probes();
      const waiters = [...queues.values()].flatMap(({ owners }) => owners);
      const channels = new Set(locks.flatMap((lock) => lock.channels));
      for (const { channel } of waiters) channels.add(channel);
      if (channels.size === 0) {
        lastCounts.clear();
        return;
      }
      const counts = await count(redis, [...channels]);
      options.deliver(subscribersOf(locks, { counts, lastCounts, at: options.now() }));
      const before = alive;
      alive = new Map(waiters.map(({ channel }) => [channel, (counts.get(channel) ?? 0) > 0]));
      for (const { db, key, owners } of queues.values()) {
        const changed = owners.some(({ channel }) => before.get(channel) !== alive.get(channel));
        if (changed) options.onAlivenessChanged(db, key);
      }
    },
    observe: (read) => {
      const id = `${read.db}:${read.key}`;
      if (!read.queue || read.queue.length === 0) {
        queues.delete(id);
        return;
      }
      if (!queues.has(id) && queues.size >= MAX_QUEUES) return;
      const owners = read.queue.flatMap(({ owner }) => {
        const channel = options.waiterChannel(read.key, owner);
        return channel === null ? [] : [{ owner, channel }];
      });
      queues.set(id, { db: read.db, key: read.key, owners });
    },
    isAlive: (key, owner) => {
      const channel = options.waiterChannel(key, owner);
      return channel === null ? null : (alive.get(channel) ?? null);
    },
  };
}

/** One observation per lock with subscribers, or whose number of them changed. */
function subscribersOf(
  locks: readonly ProbedLock[],
  known: { counts: Map<Bytes, number>; lastCounts: Map<string, number>; at: number },
): SubscribersObservation[] {
  const observations: SubscribersObservation[] = [];
  const asked = new Set<string>();
  for (const { db, key, channels } of locks) {
    const id = `${db}:${key}`;
    const count = channels.reduce((sum, channel) => sum + (known.counts.get(channel) ?? 0), 0);
    if (count > 0 || known.lastCounts.get(id) !== count) {
      observations.push({ kind: 'subscribers', at: known.at, db, key, count });
    }
    known.lastCounts.set(id, count);
    asked.add(id);
  }
  for (const id of known.lastCounts.keys()) if (!asked.has(id)) known.lastCounts.delete(id);
  return observations;
}
