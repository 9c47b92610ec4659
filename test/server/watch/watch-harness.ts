import type { Redis } from 'ioredis';
import { formatTable } from '@/lib/formats';
import type { Bytes } from '@/lib/protocol/bytes';
import type { EventObservation, Observation, ReadObservation } from '@/server/watch/observation';
import { createWatch } from '@/server/watch/watch';
import type { Watch, WatchFactory } from '@/server/watch/watch-contract';
import type { TestRedis } from '@/test/support/redis-server';

export interface Watching {
  watch: Watch;
  seen: Observation[];
  events: (key?: Bytes) => EventObservation[];
  reads: (key?: Bytes) => ReadObservation[];
  of: <K extends Observation['kind']>(kind: K) => Extract<Observation, { kind: K }>[];
  /** One word per observation of a key: the event's name, or `=value` / `=absent` for a read. */
  story: (key: Bytes) => string[];
}

/** A watch of db 0 that keeps everything it observed. Not started. */
export function watchOf(
  server: TestRedis,
  overrides: Partial<Parameters<WatchFactory>[0]> = {},
): Watching {
  const watch = createWatch({
    url: server.url,
    mode: 'standalone',
    db: 0,
    dbs: [0],
    patterns: [],
    everything: false,
    allowInsecureRedis: true,
    now: Date.now,
    formats: formatTable,
    ...overrides,
  });
  const seen: Observation[] = [];
  watch.onObservations((observations) => seen.push(...observations));
  const of = <K extends Observation['kind']>(kind: K): Extract<Observation, { kind: K }>[] =>
    seen.filter((o): o is Extract<Observation, { kind: K }> => o.kind === kind);
  return {
    watch,
    seen,
    of,
    events: (key) => of('event').filter((o) => key === undefined || o.key === key),
    reads: (key) => of('read').filter((o) => key === undefined || o.key === key),
    story: (key) =>
      seen.flatMap((o) => {
        if (o.kind === 'event' && o.key === key) return [o.event];
        if (o.kind !== 'read' || o.key !== key) return [];
        return [o.value?.type === 'string' ? `=${o.value.bytes}` : o.value ? '=other' : '=absent'];
      }),
  };
}

/** Rows of CLIENT LIST that carry our name. */
export async function ownConnections(redis: Redis): Promise<string[]> {
  const list = String(await redis.client('LIST'));
  return list.split('\n').filter((row) => row.includes(' name=lockscope '));
}
