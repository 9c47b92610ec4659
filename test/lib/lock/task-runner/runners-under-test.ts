import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import {
  createTaskRunner,
  type TaskDefinition,
  type TaskEvent,
  type TaskRunner,
  type TaskRunStatus,
} from '@/lib/lock/task-runner/index';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

export interface RunnersUnderTest {
  redis: Redis;
  /** A runner on a connection and a lock client of its own, as another process has them. Closed after the test. */
  runner: (
    tasks: Record<string, TaskDefinition>,
    options?: { leaseMs?: number; keepMs?: number },
  ) => RunnerUnderTest;
  /** Waits until a run is done or failed. */
  ended: (runner: TaskRunner, task: string, id: string) => Promise<TaskRunStatus>;
}

export interface RunnerUnderTest extends TaskRunner {
  events: TaskEvent[];
  /** Its connection, so that a test can cut it. */
  connection: Redis;
}

/** One Redis for the file, emptied after each test. */
export function runnersUnderTest(): RunnersUnderTest {
  const open: (() => Promise<void>)[] = [];
  let server: TestRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
    await redis.flushall();
  });
  afterAll(async () => await server.stop());
  return {
    get redis() {
      return redis;
    },
    runner: (tasks, options = {}) => {
      const connection = server.client();
      // A test cuts it; ioredis reconnects by itself, and prints what nobody listens to.
      connection.on('error', () => undefined);
      const client = createLockClient({ redis: connection, allowInsecure: true });
      const runner = createTaskRunner({ client, redis: connection, tasks, ...options });
      const events: TaskEvent[] = [];
      runner.on((event) => events.push(event));
      open.push(async () => {
        await runner.close({ graceMs: 200 });
        await client.close();
        connection.disconnect();
      });
      return { ...runner, events, connection };
    },
    ended: async (runner, task, id) =>
      await until(`${task} ${id} ends`, async () => {
        const status = await runner.status(task, id);
        return status && (status.state === 'done' || status.state === 'failed') ? status : null;
      }),
  };
}
