import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReadObservation, SubscribersObservation } from './observation';
import type { ProbeLoads } from './probe-load';
import type { PubsubQuestions } from './pubsub';

const MAX_QUEUES = 10_000;
/** Channels asked for in one round; beyond, the locks take turns. */
const MAX_CHANNELS = 20_000;

export interface ProbedLock {
  db: number;
  key: Bytes;
  channels: Bytes[];
}

/** Counts the subscribers of wake-up channels: the clients that wait for a lock. */
export interface WaiterProbe {
  /** One round over the locks asked for and the fair queues seen. */
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

/** What was counted last, by lock. */
type LastCounts = Map<string, { count: number; askedIn: number }>;

type Item = { lock: ProbedLock } | { queue: Queue };

const channelsOf = (item: Item): Bytes[] =>
  'lock' in item ? item.lock.channels : item.queue.owners.map(({ channel }) => channel);

export function createWaiterProbe(options: {
  pubsub: PubsubQuestions;
  /** Left out where nobody looks at what it costs. */
  loads?: Pick<ProbeLoads, 'asked'>;
  probes: () => readonly ProbedLock[];
  /** Null when the key's formats have no fair queue. */
  waiterChannel: (key: Bytes, owner: Bytes) => Bytes | null;
  deliver: (observations: SubscribersObservation[]) => void;
  /** A waiter of this key was found to be alive or gone. */
  onAlivenessChanged: (db: number, key: Bytes) => void;
  now: () => number;
}): WaiterProbe {
  const { pubsub, loads, now } = options;
  const lastCounts: LastCounts = new Map();
  const queues = new Map<string, Queue>();
  const alive = new Map<Bytes, boolean>();
  let turn = 0;
  /** Grows each time that the turn comes back to the first. */
  let cycle = 0;

  /** As many items as one round may ask for, going on where the last round ended. */
  const takeRound = (items: readonly Item[]): { round: Item[]; channels: Set<Bytes> } => {
    const channels = new Set<Bytes>();
    const round: Item[] = [];
    if (turn >= items.length) {
      turn = 0;
      cycle++;
      forgetGone();
    }
    for (let i = 0; i < items.length && channels.size < MAX_CHANNELS; i++) {
      const item = items[(turn + i) % items.length];
      if (!item) break;
      round.push(item);
      for (const channel of channelsOf(item)) channels.add(channel);
    }
    turn += round.length;
    return { round, channels };
  };

  const settleQueue = ({ db, key, owners }: Queue, counts: ReadonlyMap<Bytes, number>): void => {
    let isChanged = false;
    for (const { channel } of owners) {
      const isAlive = (counts.get(channel) ?? 0) > 0;
      if (alive.get(channel) !== isAlive) isChanged = true;
      alive.set(channel, isAlive);
    }
    if (isChanged) options.onAlivenessChanged(db, key);
  };

  /** What the cycle before the last asked for, and no later one. */
  const forgetGone = (): void => {
    for (const [id, { askedIn }] of lastCounts) {
      if (askedIn < cycle - 1) lastCounts.delete(id);
    }
    if (alive.size === 0) return;
    const queued = new Set([...queues.values()].flatMap((queue) => channelsOf({ queue })));
    for (const channel of alive.keys()) if (!queued.has(channel)) alive.delete(channel);
  };

  return {
    run: async (redis) => {
      const locks = options.probes();
      const items: Item[] = locks.map((lock) => ({ lock }));
      for (const queue of queues.values()) items.push({ queue });
      const { round, channels } = takeRound(items);
      if (channels.size === 0) return;
      const [askedBefore, began] = [pubsub.asked, performance.now()];
      const counts = await pubsub.count(redis, [...channels]);
      loads?.asked('subscribers', {
        commands: pubsub.asked - askedBefore,
        ms: performance.now() - began,
        locks: round.length,
      });
      const asked = round.flatMap((item) => ('lock' in item ? item.lock : []));
      options.deliver(subscribersOf(asked, { counts, lastCounts, cycle, at: now() }));
      for (const item of round) if ('queue' in item) settleQueue(item.queue, counts);
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
  known: { counts: Map<Bytes, number>; lastCounts: LastCounts; cycle: number; at: number },
): SubscribersObservation[] {
  const observations: SubscribersObservation[] = [];
  for (const { db, key, channels } of locks) {
    const id = `${db}:${key}`;
    const count = channels.reduce((sum, channel) => sum + (known.counts.get(channel) ?? 0), 0);
    if (count > 0 || known.lastCounts.get(id)?.count !== count) {
      observations.push({ kind: 'subscribers', at: known.at, db, key, count });
    }
    known.lastCounts.set(id, { count, askedIn: known.cycle });
  }
  return observations;
}
