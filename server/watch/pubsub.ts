import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import { isRefusal } from '@/server/redis/redis-error';

const CHANNELS_PER_CALL = 500;
/** Rights may be granted later. */
const ASK_AGAIN_MS = 60_000;

const toBuffer = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1');

/** Questions about who listens, in both worlds: ordinary channels, and sharded ones where the server has them. */
export interface PubsubQuestions {
  /** Subscribers of each channel. */
  count: (redis: Redis, channels: readonly Bytes[]) => Promise<Map<Bytes, number>>;
  /** Channels that fit the pattern and have a subscriber, each once; at most `limit`. */
  list: (redis: Redis, pattern: Bytes, limit: number) => Promise<Bytes[]>;
  /** Commands that these two have sent. */
  readonly asked: number;
}

/** `mayShard` false = the server is known to have no sharded channels (before 7.0). */
export function createPubsubQuestions(options: {
  mayShard: () => boolean;
  now: () => number;
}): PubsubQuestions {
  let refusedUntil = 0;
  let asked = 0;

  const ask = async (redis: Redis, words: readonly Bytes[]): Promise<unknown[]> => {
    asked++;
    const reply = await redis.callBuffer('PUBSUB', words.map(toBuffer));
    return Array.isArray(reply) ? reply : [];
  };

  /** Nothing where the server or the rules of this user know only ordinary channels. */
  const askSharded = async (redis: Redis, words: readonly Bytes[]): Promise<unknown[]> => {
    if (!options.mayShard() || options.now() < refusedUntil) return [];
    try {
      return await ask(redis, words);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusedUntil = options.now() + ASK_AGAIN_MS;
      return [];
    }
  };

  return {
    get asked() {
      return asked;
    },
    count: async (redis, channels) => {
      const counts = new Map<Bytes, number>();
      for (let i = 0; i < channels.length; i += CHANNELS_PER_CALL) {
        const part = channels.slice(i, i + CHANNELS_PER_CALL);
        const [plain, sharded] = await Promise.all([
          ask(redis, ['NUMSUB', ...part]),
          askSharded(redis, ['SHARDNUMSUB', ...part]),
        ]);
        // Answered in the order asked: channel, count, channel, count…
        const at = (reply: unknown[], j: number): number => Number(reply[2 * j + 1] ?? 0);
        part.forEach((channel, j) => counts.set(channel, at(plain, j) + at(sharded, j)));
      }
      return counts;
    },
    list: async (redis, pattern, limit) => {
      const [plain, sharded] = await Promise.all([
        ask(redis, ['CHANNELS', pattern]),
        askSharded(redis, ['SHARDCHANNELS', pattern]),
      ]);
      const found = new Set<Bytes>();
      for (const channel of [...plain, ...sharded]) {
        if (found.size >= limit) break;
        if (Buffer.isBuffer(channel)) found.add(channel.toString('latin1'));
      }
      return [...found];
    },
  };
}
