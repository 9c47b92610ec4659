import type { Redis } from 'ioredis';
import { afterEach, expect } from 'vitest';
import { formatTable } from '@/lib/formats';
import { classify } from '@/lib/analysis/lock-class';
import type { Change } from '@/server/state/change';
import type { LockRecord } from '@/server/state/lock-record';
import { createLockTable } from '@/server/state/lock-table';
import type { LockTable } from '@/server/state/table-contract';
import { createWatch } from '@/server/watch/watch';
import { createKeyFilter } from '@/server/watch/key-filter';
import type { Watch } from '@/server/watch/watch-contract';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const CHECK_EVERY_MS = 10;

export interface Live {
  server: TestRedis;
  redis: Redis;
  table: LockTable;
  changes: Change[];
  lock: (key: string) => LockRecord | undefined;
  ended: (key: string) => Promise<LockRecord['ended']>;
}

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of stop.toReversed()) await each();
  stop = [];
});

/** A lease of tens of seconds that is measured: a busy machine is seconds late, and no more. */
export const about = (leaseMs: number): unknown => expect.closeTo(leaseMs, -4);

/** The observe flow as far as the lock table, on a real Redis. */
export async function startLive(
  flags = 'KEAn',
  everything = false,
  running?: TestRedis,
): Promise<Live> {
  const server: TestRedis = running ?? (await startRedis({ flags }));
  if (!running) stop.push(server.stop);
  const table = createLockTable({
    target: 'live',
    formats: formatTable,
    isDeclared: () => false,
    isWatched: createKeyFilter({ prefixes: formatTable.watchedPrefixes, globs: [], everything }),
    classify: (key) => classify(key),
  });
  const changes: Change[] = [];
  const watch: Watch = createWatch({
    url: server.url,
    mode: 'standalone',
    db: 0,
    dbs: [0],
    patterns: [],
    everything,
    allowInsecureRedis: true,
    now: Date.now,
  });
  watch.onObservations((seen) => changes.push(...table.apply(seen)));
  watch.setReconcile((limit) => table.nextToReconcile(limit));
  await watch.start();
  const timer = setInterval(() => {
    const now = Date.now();
    watch.read(table.takeDue(now, 1000), 'deadline');
    changes.push(...table.apply([{ kind: 'tick', at: now }]));
  }, CHECK_EVERY_MS);
  stop.push(async () => {
    clearInterval(timer);
    await watch.stop();
  });
  await until('the watch is ready', () => watch.ready);
  const lock = (key: string): LockRecord | undefined => table.get(0, key);
  return {
    server,
    redis: server.client(),
    table,
    changes,
    lock,
    ended: async (key) => {
      const holds = (): LockRecord['ended'] | null => {
        const found = lock(key);
        return found && !found.hold ? found.ended : null;
      };
      return await until(`${key} ended`, holds);
    },
  };
}
