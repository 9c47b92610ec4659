import type { Redis } from 'ioredis';
import type { ChannelClient } from '@/lib/protocol/target';
import { isRefusal } from '@/server/redis/redis-error';
import { readChannelClients } from './client-list';
import type { ProbeLoads } from './probe-load';

const MOST = 20;
const EVERY_MS = 30_000;

/** Which clients listen to channels, asked now and then. */
export interface ChannelClients {
  /** Null where this user may not ask. */
  list: (redis: Redis) => Promise<readonly ChannelClient[] | null>;
}

export function createChannelClients(options: {
  loads: Pick<ProbeLoads, 'asked'>;
  mayListClients: () => boolean;
  now: () => number;
}): ChannelClients {
  const { loads, now } = options;
  let clients: readonly ChannelClient[] | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async (redis: Redis): Promise<readonly ChannelClient[] | null> => {
    const began = performance.now();
    try {
      const reply = await redis.callBuffer('CLIENT', ['LIST', 'TYPE', 'pubsub']);
      const text = Buffer.isBuffer(reply) ? reply.toString('latin1') : '';
      const found = readChannelClients(text, MOST);
      const ms = performance.now() - began;
      loads.asked('clients', { commands: 1, ms, locks: text.split('\n').length - 1 });
      return found;
    } catch (error) {
      // Then nobody can tell who listens, which the alert says.
      if (!isRefusal(error)) throw error;
      return null;
    }
  };

  return {
    list: async (redis) => {
      if (!options.mayListClients()) return null;
      if (now() - askedAt >= EVERY_MS) {
        askedAt = now();
        clients = await ask(redis);
      }
      return clients;
    },
  };
}
