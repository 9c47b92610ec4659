import type { Redis } from 'ioredis';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { ChannelClient, IdleChannel } from '@/lib/protocol/target';
import { createChannelClients } from './channel-clients';
import type { ReadObservation } from './observation';
import type { ProbeLoads } from './probe-load';
import type { PubsubQuestions } from './pubsub';
import { isLockChannel, keyOfChannel, WAKE_CHANNELS_GLOB } from './wake-channels';
import type { ProbedLock } from './waiter-probe';

const MAX_CHANNELS = 20_000;
const MAX_PROBED = 2_000;
/** Keys read in one round because somebody listens for them. */
const MAX_READS = 200;
/** What was read this recently needs no reading of ours: held locks are re-read by the rotation. */
const READ_AGE_MS = 4_500;
const MAX_IDLE = 100;
/** Longer than this without a round, locks may have come and gone unseen. */
const UNSEEN_MS = 60_000;
/** A round may take this share of the time between two. */
const REST_TIMES = 50;

interface Listened {
  channels: Bytes[];
  /** Since when its key has not been seen to exist while somebody listens. */
  idleSince: number;
  readAt: number;
  /** When it was last read and was not there; 0 = never. */
  goneAt: number;
}

/**
 * Finds locks by who listens for them: a channel of Redisson names its lock, whatever the lock is called, and
 * tells apart what the value alone does not (a semaphore's bare number).
 */
export interface ChannelWatch {
  /** One round; nothing where the last one was dear and not long ago. */
  run: (redis: Redis) => Promise<void>;
  onRead: (read: ReadObservation) => void;
  /** An event of the key: a lock was there, though it may be gone before a read. */
  onEvent: (key: Bytes) => void;
  /** Channels named after the key that somebody listens to. */
  listened: (key: Bytes) => readonly Bytes[] | undefined;
  /** The channels of whole locks, for counting who listens; at most as many as are worth it. */
  probes: () => ProbedLock[];
  /** Whom nobody has locked anything for in a long time. */
  readonly idle: IdleChannels;
}

export interface IdleChannels {
  /** The longest first, at most 100. */
  channels: readonly IdleChannel[];
  /** All of them. */
  count: number;
  /** Null = not asked, or not answered. */
  clients: readonly ChannelClient[] | null;
}

const NONE: IdleChannels = { channels: [], count: 0, clients: null };

export function createChannelWatch(options: {
  pubsub: PubsubQuestions;
  loads: Pick<ProbeLoads, 'asked'>;
  dbs: readonly number[];
  read: (db: number, key: Bytes) => void;
  /** Listened to for so long without a lock, a subscription is left over. */
  idleAfterMs: () => number;
  /** Whether events of this key come. */
  isFollowed: (key: Bytes) => boolean;
  mayListClients: () => boolean;
  now: () => number;
}): ChannelWatch {
  const { pubsub, loads, dbs, now } = options;
  const clients = createChannelClients(options);
  let known = new Map<Bytes, Listened>();
  let idle = NONE;
  let restUntil = 0;

  const take = (names: readonly Bytes[], at: number): void => {
    const before = at - restUntil > UNSEEN_MS ? new Map<Bytes, Listened>() : known;
    const next = new Map<Bytes, Listened>();
    for (const channel of names) {
      const key = keyOfChannel(channel);
      if (key === null) continue;
      const here = next.get(key);
      if (here) here.channels.push(channel);
      else {
        const { idleSince = at, readAt = 0, goneAt = 0 } = before.get(key) ?? {};
        next.set(key, { channels: [channel], idleSince, readAt, goneAt });
      }
    }
    known = next;
  };

  const readUnread = (at: number): void => {
    const most = Math.max(1, Math.floor(MAX_READS / dbs.length));
    const due = [...known].filter(([, { readAt }]) => at - readAt > READ_AGE_MS);
    due.sort(([, a], [, b]) => a.readAt - b.readAt);
    for (const [key] of due.slice(0, most)) for (const db of dbs) options.read(db, key);
  };

  const findIdle = async (redis: Redis, at: number): Promise<void> => {
    const idleAfterMs = options.idleAfterMs();
    const long = [...known].filter(
      ([, { idleSince, goneAt }]) => at - idleSince >= idleAfterMs && goneAt >= idleSince,
    );
    long.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    const all = long.flatMap(([key, { channels, idleSince }]) =>
      channels.map((channel) => ({ key, channel, idleSince })),
    );
    const listed = all.slice(0, MAX_IDLE);
    const counts = await pubsub.count(
      redis,
      listed.map(({ channel }) => channel),
    );
    idle = {
      channels: listed.map(({ key, channel, idleSince }) => ({
        channel: printable(channel),
        subscribers: counts.get(channel) ?? 0,
        since: idleSince,
        isFollowed: options.isFollowed(key),
      })),
      count: all.length,
      clients: all.length > 0 ? await clients.list(redis) : null,
    };
  };

  return {
    run: async (redis) => {
      const at = now();
      if (at < restUntil) return;
      const [askedBefore, began] = [pubsub.asked, performance.now()];
      const names = await pubsub.list(redis, WAKE_CHANNELS_GLOB, MAX_CHANNELS);
      take(names, at);
      await findIdle(redis, at);
      const ms = performance.now() - began;
      restUntil = at + ms * REST_TIMES;
      loads.asked('channels', { commands: pubsub.asked - askedBefore, ms, locks: known.size });
      readUnread(at);
    },
    onRead: ({ key, value, at }) => {
      const listened = known.get(key);
      if (!listened) return;
      listened.readAt = at;
      if (value === null) listened.goneAt = at;
      else listened.idleSince = at;
    },
    onEvent: (key) => {
      const listened = known.get(key);
      if (listened) listened.idleSince = now();
    },
    listened: (key) => known.get(key)?.channels,
    probes: () => {
      const probed: ProbedLock[] = [];
      for (const [key, { channels }] of known) {
        if (probed.length >= MAX_PROBED) break;
        const ofLock = channels.filter(isLockChannel);
        if (ofLock.length > 0) for (const db of dbs) probed.push({ db, key, channels: ofLock });
      }
      return probed;
    },
    get idle() {
      return idle;
    },
  };
}
