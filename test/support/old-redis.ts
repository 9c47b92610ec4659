import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

/** Redis 6.2, which is older than what locks are kept in safely; fetched by the test command. */
export const startOldRedis = (options: { password?: string } = {}): Promise<TestRedis> =>
  startRedis({
    ...options,
    program: join(ROOT, 'test', 'results', 'servers', '6.2', 'redis-server'),
  });
