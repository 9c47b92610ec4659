import type { Settings } from '@/server/config';
import { DEFAULT_PREFIX } from '@/lib/lock/names';
import { unavailable } from '@/server/redis/connection-options';
import { createCommandConnections } from '@/server/redis/command-connections';
import { parseInfo } from '@/server/redis/info';
import { isRefusal } from '@/server/redis/redis-error';
import { applyInfo, createServerFacts, refreshConfig } from '@/server/watch/server-facts';
import type { Patient } from './check';
import { redisSaid } from './redis-answer';

async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/**
 * Connects, asks the server about itself once, and closes every connection after `look`. Rejects with
 * TARGET_UNAVAILABLE where Redis cannot be reached, or answers nothing but an error.
 */
export async function withPatient<T>(
  settings: Settings,
  look: (patient: Patient) => Promise<T>,
): Promise<T> {
  const connections = createCommandConnections(settings.redis.url);
  try {
    const redis = await connections.of(settings.redis.db);
    const facts = createServerFacts();
    const text = await unlessRefused(async () => await redis.info());
    if (text !== null) applyInfo(facts, text);
    await refreshConfig(facts, redis);
    return await look({
      settings,
      prefix: DEFAULT_PREFIX,
      redis,
      inDb: async (db) => await connections.of(db),
      facts,
      info: text === null ? null : parseInfo(text),
      config: async (name) => {
        const reply = await unlessRefused<unknown>(async () => await redis.config('GET', name));
        const value: unknown = Array.isArray(reply) ? reply[1] : null;
        return typeof value === 'string' ? value : null;
      },
      now: Date.now,
    });
  } catch (error) {
    throw redisSaid(error) === null ? error : unavailable(settings.redis.url, error);
  } finally {
    await connections.close();
  }
}
