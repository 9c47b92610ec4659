import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { alertsAbout, firing, resolved, seenAs } from '@/test/support/seen';
import { watchedRedis } from '@/test/support/watched-redis';

/** Who waits for himself, and beside it who only seems to. The latter come first in each. */
const at = watchedRedis();
const PATIENCE_MS = 60_000;
const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

const told = async (): Promise<string[]> =>
  (await at.console.alerts('self-wait')).map(({ subject }) => subject.label);

const queue = (key: string, owner: string, forMs = 600_000) =>
  at.client
    .multi()
    .rpush(`redisson_lock_queue:{${key}}`, owner)
    .zadd(`redisson_lock_timeout:{${key}}`, Date.now() + forMs, owner)
    .exec();

describe('a task of our own client', () => {
  const keyOf = (name: string): string => `qoder:lock:${name}`;

  function aClient(): { client: LockClient; run: (work: () => Promise<unknown>) => void } {
    const client = createLockClient({ redis: at.redis.client(), allowInsecure: true });
    const running: Promise<unknown>[] = [];
    stops.push(async () => {
      await client.close();
      await Promise.allSettled(running);
    });
    return {
      client,
      run: (work) => {
        const done = client.task(work);
        done.catch(() => undefined);
        running.push(done);
      },
    };
  }

  it('that reads and wants to write waits for itself, and one that enters again does not', async () => {
    const { client, run } = aClient();
    const forEver = { waitMs: Infinity };
    run(async () => {
      await client.acquire('again');
      await client.acquire('again', forEver);
    });
    await seenAs(at.console, keyOf('again'), ({ hold }) => hold?.depth === 2, PATIENCE_MS);
    run(() => client.acquire('again', forEver));
    const book = client.readWrite('book');
    run(() => book.read.acquire());
    await seenAs(at.console, keyOf('book'), ({ hold }) => hold !== null, PATIENCE_MS);
    run(() => book.write.acquire(forEver));
    const page = client.readWrite('page');
    run(async () => {
      const { owner } = await page.read.acquire();
      // Ours refuses; whoever writes the same layout without looking stands in line.
      await expect(page.write.acquire(forEver)).rejects.toThrow('would wait for itself');
      await queue(keyOf('page'), `${owner}:write`);
    });
    const alert = await firing(at.console, 'self-wait', keyOf('page'), PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'critical', evidence: 'observed' });
    expect(alert.summary).toContain(client.instance);
    for (const name of ['again', 'book']) {
      await seenAs(at.console, keyOf(name), ({ waiting }) => waiting.count === 1, PATIENCE_MS);
    }
    expect(await told()).toEqual([keyOf('page')]);
    expect(await at.console.alerts('deadlock')).toEqual([]);
    await client.close();
    await resolved(at.console, 'self-wait', keyOf('page'));
  }, 300_000);
});

describe('a thread of Redisson', () => {
  const take = (key: string, owner: string) =>
    at.client.multi().hincrby(key, owner, 1).pexpire(key, 600_000).exec();

  it('in the queue of its own lock waits for itself, and not where its time there is over', async () => {
    await take('nested:left-over', A);
    await queue('nested:left-over', A, -1000);
    await queue('nested:left-over', B);
    await take('nested:again', A);
    await take('nested:again', A);
    await queue('nested:again', B);
    await take('nested:self', A);
    await queue('nested:self', A);
    const { summary, remedy } = await firing(at.console, 'self-wait', 'nested:self', PATIENCE_MS);
    expect(summary).toContain(A);
    expect(remedy).toContain('lease');
    await seenAs(at.console, 'nested:again', ({ waiting }) => waiting.count === 1, PATIENCE_MS);
    for (const key of ['nested:left-over', 'nested:again']) {
      expect(await alertsAbout(at.console, 'self-wait', key)).toEqual([]);
    }
    expect(await at.console.alerts('deadlock')).toEqual([]);
  }, 300_000);
});
