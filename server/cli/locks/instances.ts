import type { Redis } from 'ioredis';
import { INSTANCE } from '@/lib/lock/names';
import { isRefusal } from '@/server/redis/redis-error';

/** What a client of ours says of itself in `lockscope:instance:<uuid>` while it lives (lib/lock/README.md). */
export interface Instance {
  host: string | null;
  ip: string | null;
  pid: number | null;
  app: string | null;
  /** Epoch ms by the client's clock. */
  startedAt: number | null;
  /** Until when it counts as alive without another sign (epoch ms of this process's clock). */
  aliveUntil: number | null;
}

/**
 * `gone`: a client of ours whose record is not there, so that it has ended or is cut off. `not-told`: a client
 * of another library, or a Redis user who may not read the record.
 */
export type InstanceLook = Instance | 'gone' | 'not-told';

const IDS_AT_ONCE = 500;

/** Looks up each instance once; the map has an entry for every id given. */
export async function readInstances(
  redis: Redis,
  ids: Iterable<string>,
  now: () => number,
): Promise<Map<string, InstanceLook>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, InstanceLook>();
  for (let at = 0; at < wanted.length; at += IDS_AT_ONCE) {
    const part = wanted.slice(at, at + IDS_AT_ONCE);
    const looks = await Promise.all(part.map((id) => readInstance(redis, id, now)));
    part.forEach((id, i) => found.set(id, looks[i] ?? 'not-told'));
  }
  return found;
}

async function readInstance(redis: Redis, id: string, now: () => number): Promise<InstanceLook> {
  try {
    const [fields, pttl] = await Promise.all([
      redis.hgetall(INSTANCE + id),
      redis.pttl(INSTANCE + id),
    ]);
    if (Object.keys(fields).length === 0) return 'gone';
    return {
      host: fields['host'] || null,
      ip: fields['ip'] || null,
      pid: wholeOf(fields['pid']),
      app: fields['app'] || null,
      startedAt: wholeOf(fields['startedAt']),
      aliveUntil: pttl > 0 ? now() + pttl : null,
    };
  } catch (error) {
    // A key of another type says nothing of an instance either.
    if (isRefusal(error) || (error instanceof Error && error.message.startsWith('WRONGTYPE'))) {
      return 'not-told';
    }
    throw error;
  }
}

const wholeOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
