import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import { taskKeys } from '@/lib/lock/task-runner/keys';
import { createRunStore, type RunStore } from '@/lib/lock/task-runner/run-store';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

let server: TestRedis;
let redis: Redis;
let store: RunStore;

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
});
beforeEach(async () => {
  store = createRunStore(
    redis,
    taskKeys('t', (name) => `qoder:lock:${name}`),
  );
  await store.trigger('1', '');
});
afterEach(async () => void (await redis.flushall()));
afterAll(async () => await server.stop());

const hold = (fence: number) => ({ fence, owner: `runner:${fence}` });
const progress = (number: number) => ({ number, field: 'progress', value: `${number}` });
const done = { state: 'done', attempts: 1, value: '', keepMs: 60_000 } as const;

describe('the fence kept beside a run', () => {
  it('refuses every act of a runner that was succeeded', async () => {
    await store.begin('1', hold(5));
    await store.acknowledge('1', 5, progress(1));
    expect(await store.begin('1', hold(6))).toMatchObject({
      isTakenOver: true,
      stalled: 1,
      status: { acknowledged: 1, progress: 1, takeovers: 1 },
    });
    expect(await store.acknowledge('1', 5, progress(2))).toBe(false);
    expect(await store.settle('1', 5, done)).toBe(false);
    expect(await store.begin('1', hold(5))).toBe('LOST');
    expect(await store.status('1')).toMatchObject({ state: 'running', fence: 6, progress: 1 });
  });

  it('refuses it for every other run of the task too', async () => {
    await store.trigger('2', '');
    await store.begin('1', hold(5));
    await store.settle('1', 5, done);
    await store.begin('2', hold(6));
    await store.trigger('3', '');
    expect(await store.begin('3', hold(5))).toBe('LOST');
  });

  it('compares fences as numbers', async () => {
    await store.begin('1', hold(10));
    expect(await store.begin('1', hold(9))).toBe('LOST');
    expect(await store.begin('1', hold(1_796_010_812_573_365))).toMatchObject({
      isTakenOver: true,
    });
    expect(await store.begin('1', hold(1_796_010_812_573_364))).toBe('LOST');
  });

  it('lets a successor begin what nobody ended, and only that', async () => {
    await store.begin('1', hold(5));
    await store.settle('1', 5, done);
    expect(await store.begin('1', hold(6))).toBe('ENDED');
    expect((await store.look()).id).toBeNull();
  });
});

describe('a command that comes twice, because its answer was lost', () => {
  it('triggers once', async () => {
    expect(await store.trigger('2', '')).toBe(true);
    expect(await store.trigger('2', '')).toBe(false);
  });

  it('begins once', async () => {
    await store.begin('1', hold(5));
    expect(await store.begin('1', hold(5))).toMatchObject({ isTakenOver: false, stalled: 0 });
  });

  it('is acknowledged once', async () => {
    await store.begin('1', hold(5));
    expect(await store.acknowledge('1', 5, progress(1))).toBe(true);
    expect(await store.acknowledge('1', 5, progress(1))).toBe(true);
    expect(await store.status('1')).toMatchObject({ acknowledged: 1 });
    expect(await store.acknowledge('1', 5, progress(3))).toBe(false);
  });

  it('settles once', async () => {
    await store.begin('1', hold(5));
    expect(await store.settle('1', 5, done)).toBe(true);
    const again = { state: 'waiting', attempts: 2, value: 'x', dueInMs: 0 } as const;
    expect(await store.settle('1', 5, again)).toBe(true);
    expect(await store.status('1')).toMatchObject({ state: 'done', attempt: 1 });
  });
});

describe('an acknowledgement', () => {
  it('is refused once the run was settled by its own runner', async () => {
    await store.begin('1', hold(5));
    await store.settle('1', 5, { state: 'waiting', attempts: 1, value: 'x', dueInMs: 5000 });
    expect(await store.acknowledge('1', 5, progress(1))).toBe(false);
  });

  it('ends the row of takeovers without progress', async () => {
    await store.begin('1', hold(1));
    await store.begin('1', hold(2));
    expect(await store.begin('1', hold(3))).toMatchObject({ stalled: 2 });
    await store.acknowledge('1', 3, progress(1));
    expect(await store.begin('1', hold(4))).toMatchObject({ stalled: 1, status: { takeovers: 3 } });
  });
});

describe('the queue', () => {
  it('tells the run due first and when', async () => {
    expect(await store.look()).toMatchObject({ id: '1', isScheduled: false });
    await store.begin('1', hold(5));
    await store.settle('1', 5, { state: 'waiting', attempts: 1, value: 'x', dueInMs: 60_000 });
    const later = await store.look();
    expect(later.id).toBe('1');
    expect(later.dueInMs).toBeGreaterThan(30_000);
    expect(later.dueInMs).toBeLessThanOrEqual(60_000);
  });

  it('has one run of an interval at a time', async () => {
    expect(await store.schedule('every:100', 100)).toBe(true);
    expect(await store.schedule('every:200', 200)).toBe(false);
    expect(await store.look()).toMatchObject({ id: 'every:100', isScheduled: true });
    await store.begin('every:100', hold(5));
    await store.settle('every:100', 5, done);
    expect(await store.schedule('every:100', 100)).toBe(false);
    expect(await store.schedule('every:200', 200)).toBe(true);
  });

  it('forgets an ended run after the time it is kept', async () => {
    await store.begin('1', hold(5));
    await store.settle('1', 5, done);
    const ttl = await redis.pttl('lockscope:task:run:{qoder:lock:task:t}:1');
    expect(ttl).toBeGreaterThan(30_000);
    expect(ttl).toBeLessThanOrEqual(60_000);
  });

  it('drops a run whose record is gone', async () => {
    await redis.del('lockscope:task:run:{qoder:lock:task:t}:1');
    expect(await store.begin('1', hold(5))).toBe('ENDED');
    expect((await store.look()).id).toBeNull();
  });
});
