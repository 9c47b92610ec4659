import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import type { LockClient } from '@/lib/lock/contract';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { createTestCli, type TestCli } from './run-cli';
import { spawnCli, type SpawnedCli } from './spawn-cli';

let server: TestRedis;
let redis: Redis;
let other: LockClient;
let cli: TestCli;

beforeAll(async () => {
  server = await startRedis({ password: 'aBc$9xY!2' });
  redis = server.client();
  other = createLockClient({ redis: server.client(), waitMs: 10_000 });
  cli = await createTestCli(server.url);
});
afterAll(async () => {
  await other.close();
  await cli.remove();
  await server.stop();
});
beforeEach(async () => {
  await until('nothing is held', async () => (await redis.keys('qoder:lock:*')).length === 0);
});

const start = (...args: string[]): SpawnedCli => spawnCli(cli.env, 'lock', 'run', ...args);

async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const started = start(...args);
  const code = await started.exited;
  return { code, out: started.out(), err: started.err() };
}

const sh = (script: string): string[] => ['--', 'sh', '-c', script];
const isHeld = async (name: string): Promise<boolean> =>
  (await redis.exists(`qoder:lock:${name}`)) === 1;

describe('lock run', () => {
  it('runs the command with fence and key, and ends as it ends', async () => {
    const script = 'echo "$LOCKSCOPE_FENCE $LOCKSCOPE_LOCK_KEY"; exit 7';
    const { code, out } = await run('--key', 'order:1', ...sh(script));
    expect(code).toBe(7);
    const fence = await redis.get('redisson_lock_token:{qoder:lock:order:1}');
    expect(out).toBe(`${fence} qoder:lock:order:1\n`);
    expect(await isHeld('order:1')).toBe(false);
  });

  it('holds the lock while the command runs', async () => {
    const sleeping = start('--key', 'order:2', '--business-id', 'SN-1', ...sh('sleep 30'));
    await until('held', () => isHeld('order:2'));
    expect(await redis.hget('qoder:lock:order:2', 'business')).toBe('SN-1');
    sleeping.signal('SIGTERM');
    expect(await sleeping.exited).toBe(143);
    expect(await isHeld('order:2')).toBe(false);
  });

  it('names the lock by a template and an event, and refuses a missing variable', async () => {
    const template = ['--template', 'order_sync:${event.order_no}'];
    const named = await run(
      ...template,
      '--event',
      '{"order_no":"7"}',
      ...sh('echo $LOCKSCOPE_LOCK_KEY'),
    );
    expect(named).toMatchObject({ code: 0, out: 'qoder:lock:order_sync:7\n' });
    const missing = await run(...template, '--event', '{"other":1}', ...sh('echo never'));
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toContain('order_no');
  });

  it('says that it waits, and goes on when the lock is free', async () => {
    const held = await other.acquire('order:3');
    const waiting = start('--key', 'order:3', '--wait', '100s', ...sh('echo mine'));
    await until('it says so', () => waiting.err().includes('WAITING_FOR_LOCK'));
    expect(waiting.out()).toBe('');
    await held.release();
    expect(await waiting.exited).toBe(0);
    expect(waiting.out()).toBe('mine\n');
  });

  it('ends with LockAcquisitionTimeoutException when the wait is over', async () => {
    const held = await other.acquire('order:4');
    const { code, out, err } = await run(
      '--key',
      'order:4',
      '--wait',
      '100ms',
      ...sh('echo never'),
    );
    await held.release();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('LockAcquisitionTimeoutException: ');
  });

  it('leaves nothing in Redis when the wait is interrupted', async () => {
    const held = await other.acquire('order:5');
    const waiting = start('--key', 'order:5', '--wait', '1m', ...sh('echo never'));
    const queue = 'redisson_lock_queue:{qoder:lock:order:5}';
    await until('it stands in the queue', async () => (await redis.llen(queue)) === 1);
    waiting.signal('SIGINT');
    expect(await waiting.exited).toBe(130);
    expect(await redis.llen(queue)).toBe(0);
    await held.release();
    expect(waiting.out()).toBe('');
  });

  it('ends the command and all it started when the lock is taken away', async () => {
    const running = start('--key', 'order:6', '--ttl', '3s', ...sh('sleep 30'));
    await until('held', () => isHeld('order:6'));
    await redis.del('qoder:lock:order:6');
    expect(await running.exited).toBe(143);
    expect(running.err()).toContain('order:6');
  });

  it('passes signals on to the command', async () => {
    const script = 'trap "echo heard; exit 5" USR1; echo ready; while :; do sleep 0.05; done';
    const running = start('--key', 'order:7', ...sh(script));
    await until('it runs', () => running.out().includes('ready'));
    running.signal('SIGUSR1');
    expect(await running.exited).toBe(5);
    expect(running.out()).toContain('heard');
    expect(await isHeld('order:7')).toBe(false);
  });

  it('ends with 127 for a command that is not there', async () => {
    const { code, err } = await run('--key', 'order:8', '--', 'no-such-command-at-all');
    expect(code).toBe(127);
    expect(err).toContain('no-such-command-at-all cannot be started: there is no such program.\n');
  });

  it('ends with 2 when it is not said which lock, or what to run', async () => {
    expect((await run(...sh('true'))).code).toBe(2);
    expect((await run('--key', 'x')).code).toBe(2);
    expect((await run('--key', 'x', '--event', '{}', ...sh('true'))).code).toBe(2);
    expect((await run('--event', 'no json', ...sh('true'))).code).toBe(2);
    expect((await run('--key', 'x', '--ttl', 'soon', ...sh('true'))).code).toBe(2);
    expect((await run('--key', '', ...sh('true'))).code).toBe(2);
    expect((await run('--event', '{"a":1}', '--template', 'fixed', ...sh('true'))).code).toBe(2);
  });
});

describe('lock watch as a program', () => {
  it('prints one JSON object a line, and ends with 0 at Ctrl-C', async () => {
    const watching = spawnCli(cli.env, 'lock', 'watch', '--key', 'order:9', '--json');
    await until('it follows', () => watching.err().includes('following'));
    await (await other.acquire('order:9')).release();
    await until('both lines', () => watching.out().split('\n').length > 2);
    watching.signal('SIGINT');
    expect(await watching.exited).toBe(0);
    const events = watching
      .out()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toContain('released');
  });
});
