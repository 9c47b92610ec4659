import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Redis } from 'ioredis';
import type { WatchLine } from '@/server/cli/locks/change-lines';
import { followLocks } from '@/server/cli/locks/follow-locks';
import { lineText } from '@/server/cli/locks/line-text';
import { selectLocks } from '@/server/cli/locks/watch-selection';
import { loadSettings } from '@/server/config';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { announce, holdOwnLock, instanceId, queueOwnWaiter } from './own-lock';
import { createTestCli, type TestCli } from './run-cli';

const UUID = '0b0c7a3e-1111-4222-8333-444444444444';
let server: TestRedis;
let redis: Redis;
let cli: TestCli;

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
  cli = await createTestCli(server.url);
});
afterAll(async () => {
  await cli.remove();
  await server.stop();
});

interface Followed {
  lines: WatchLine[];
  notes: string[];
  /** Resolves when following has ended. */
  stop: () => Promise<void>;
}

/** Follows until the test is over; resolves once it is known what can be seen. */
async function follow(
  wanted: { key?: string; pattern?: string } = {},
  { all = false, env = cli.env }: { all?: boolean; env?: Record<string, string> } = {},
): Promise<Followed> {
  const settings = loadSettings(env);
  const controller = new AbortController();
  const lines: WatchLine[] = [];
  const notes: string[] = [];
  let isSeen = false;
  const ended = followLocks({
    settings,
    selection: selectLocks(settings, wanted),
    all,
    signal: controller.signal,
    onLine: (line) => lines.push(line),
    onSight: (blind) => {
      isSeen = true;
      notes.push(...blind.map(({ message }) => message));
    },
  });
  const stop = async (): Promise<void> => {
    controller.abort();
    await ended;
  };
  onTestFinished(stop);
  await until('sight is known', () => isSeen);
  return { lines, notes, stop };
}

const eventsOf = ({ lines }: Followed, key: string): string[] =>
  lines.filter((line) => line.key === key).map(({ event }) => event);

describe('lock watch', () => {
  it('tells an acquire and a release, with holder and time held', async () => {
    const followed = await follow();
    await redis.set('mutex:a', UUID, 'PX', 5000);
    await until('acquired', () => eventsOf(followed, 'mutex:a').includes('acquired'));
    await redis.del('mutex:a');
    await until('released', () => eventsOf(followed, 'mutex:a').includes('released'));
    const [acquired, released] = followed.lines.filter(({ key }) => key === 'mutex:a');
    expect(acquired).toMatchObject({ owner: UUID, evidence: 'observed' });
    expect(released).toMatchObject({ owner: UUID, evidence: 'observed' });
    expect(lineText(released as WatchLine)).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} released {6}mutex:a {2}0b0c7a3e.+ {2}held \d+ ms/,
    );
  });

  it('tells a lapse apart from a release', async () => {
    const followed = await follow({ key: 'mutex:b' });
    await redis.set('mutex:b', UUID, 'PX', 60_000);
    await until('acquired', () => eventsOf(followed, 'mutex:b').includes('acquired'));
    await redis.pexpire('mutex:b', 80);
    await until('lapsed', () => eventsOf(followed, 'mutex:b').includes('lapsed'));
    expect(eventsOf(followed, 'mutex:b')).toEqual(['acquired', 'lapsed']);
  });

  it('tells what is held already when it begins', async () => {
    await redis.set('mutex:c', UUID, 'PX', 60_000);
    const followed = await follow({ key: 'mutex:c' });
    await until('held', () => eventsOf(followed, 'mutex:c').length > 0);
    expect(eventsOf(followed, 'mutex:c')).toEqual(['held']);
  });

  it('tells of one lock alone when asked for one, by name or by key', async () => {
    const followed = await follow({ key: 'order:1' });
    await redis.set('mutex:d', UUID, 'PX', 60_000);
    await announce(redis, instanceId(1));
    const { key } = await holdOwnLock(redis, 'order:1');
    await until('acquired', () => eventsOf(followed, key).includes('acquired'));
    expect(new Set(followed.lines.flatMap(({ key: each }) => each ?? []))).toEqual(new Set([key]));
    const acquired = followed.lines.find(({ event }) => event === 'acquired');
    expect(acquired).toMatchObject({ ip: '10.24.1.7', pid: 4121, app: 'log-analyser' });
  });

  it('tells of those that a pattern matches, behind the prefix as well', async () => {
    const followed = await follow({ pattern: 'pay:*' });
    await holdOwnLock(redis, 'pay:1');
    await holdOwnLock(redis, 'ship:1');
    await holdOwnLock(redis, 'pay:2');
    await until(
      'both',
      () => followed.lines.filter(({ event }) => event === 'acquired').length > 1,
    );
    const keys = followed.lines.flatMap(({ key }) => key ?? []);
    expect(new Set(keys)).toEqual(new Set(['qoder:lock:pay:1', 'qoder:lock:pay:2']));
  });

  it('tells renewals only when asked for all', async () => {
    const loud = await follow({ key: 'mutex:e' }, { all: true });
    const quiet = await follow({ key: 'mutex:e' });
    await redis.set('mutex:e', UUID, 'PX', 60_000);
    await until('acquired', () => eventsOf(loud, 'mutex:e').includes('acquired'));
    await redis.pexpire('mutex:e', 60_000);
    await until('renewed', () => eventsOf(loud, 'mutex:e').includes('renewed'));
    await redis.del('mutex:e');
    await until('released', () => eventsOf(quiet, 'mutex:e').includes('released'));
    expect(eventsOf(quiet, 'mutex:e')).toEqual(['acquired', 'released']);
  });

  it('tells who waits', async () => {
    const followed = await follow({ key: 'order:3' });
    const { key } = await holdOwnLock(redis, 'order:3');
    await announce(redis, instanceId(8));
    const waiter = `${instanceId(8)}:1`;
    await queueOwnWaiter(redis, key, waiter, { listening: server.client() });
    const told = await until('waiting', () =>
      followed.lines.find(({ event }) => event === 'waiting'),
    );
    expect(told).toMatchObject({ waiting: 1, waiters: [waiter] });
    expect(lineText(told)).toContain('0 → 1');
  });

  it('says that Redis announces nothing, and finds changes by looking', async () => {
    const silent = await startRedis({ flags: '' });
    onTestFinished(silent.stop);
    const env = { ...cli.env, LOCKSCOPE_REDIS_URL: silent.url };
    const followed = await follow({ key: 'mutex:f' }, { env });
    expect(followed.notes.join(' ')).toMatch(/announce/);
    const client = silent.client();
    await client.set('mutex:f', UUID, 'PX', 60_000);
    await until('acquired', () => eventsOf(followed, 'mutex:f').includes('acquired'));
    await client.del('mutex:f');
    await until('the end', () => eventsOf(followed, 'mutex:f').length > 1);
    const end = followed.lines.at(-1);
    expect(end?.evidence).not.toBe('observed');
  });

  it('says for how long it saw nothing when the connection was cut', async () => {
    const followed = await follow({ key: 'mutex:g' });
    await redis.set('mutex:g', UUID, 'PX', 60_000);
    await until('acquired', () => eventsOf(followed, 'mutex:g').includes('acquired'));
    const list = String(await redis.call('CLIENT', ['LIST']));
    for (const row of list.split('\n').filter((each) => each.includes('name=lockscope '))) {
      await redis.call('CLIENT', ['KILL', 'ID', /id=(\d+)/.exec(row)?.[1] ?? '']);
    }
    await until('a gap', () => followed.lines.some(({ event }) => event === 'gap'));
    const events = followed.lines.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['disconnected', 'connected', 'gap']));
    await redis.del('mutex:g');
    await until('released', () => eventsOf(followed, 'mutex:g').includes('released'));
  });

  it('leaves no connection behind when it ends', async () => {
    const before = await redis.call('CLIENT', ['LIST']);
    const followed = await follow();
    await followed.stop();
    const count = (list: unknown): number => String(list).split('name=lockscope').length;
    await until(
      'all are closed',
      async () => count(await redis.call('CLIENT', ['LIST'])) <= count(before),
    );
  });
});
