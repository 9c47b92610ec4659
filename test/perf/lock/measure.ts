import type { Connection } from '@/test/perf/lock/client';
import { measureContended } from '@/test/perf/lock/contended';
import type { Part } from '@/test/perf/lock/options';
import type { ContendedFigures } from '@/test/perf/lock/sections';
import {
  measureUncontended,
  WORKER_COUNTS,
  type UncontendedFigures,
} from '@/test/perf/lock/uncontended';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const PASSWORD = 'bench';

export interface Measured {
  /** By number of workers, by client. */
  uncontended: Map<number, Map<string, UncontendedFigures>>;
  /** By client. */
  contended: Map<string, ContendedFigures>;
}

export interface Course {
  parts: readonly Part[];
  /** Beside ours and plain ioredis. */
  peers: readonly string[];
  quick: boolean;
}

async function measureOn(redis: TestRedis, { parts, peers, quick }: Course): Promise<Measured> {
  const connection: Connection = { host: '127.0.0.1', port: redis.port, password: PASSWORD };
  const clients = ['plain', 'ours', ...peers];
  const measured: Measured = { uncontended: new Map(), contended: new Map() };
  if (parts.includes('uncontended')) {
    for (const workers of WORKER_COUNTS) {
      const figures = await measureUncontended(connection, { clients, workers, quick });
      measured.uncontended.set(workers, figures);
    }
  }
  if (parts.includes('contended')) {
    const own = redis.client();
    const forgetLock = async (): Promise<unknown> => await own.flushall();
    measured.contended = await measureContended(connection, { clients, quick, forgetLock });
  }
  return measured;
}

/** Measures all clients on a Redis of its own: no persistence, no notifications, with a password. */
export async function measureLocks(course: Course): Promise<Measured> {
  const redis = await startRedis({
    flags: '',
    password: PASSWORD,
    args: ['--appendonly', 'no'],
  });
  try {
    return await measureOn(redis, course);
  } finally {
    await redis.stop();
  }
}
