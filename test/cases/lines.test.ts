import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { pause } from '@/test/support/pause';
import { firing, resolved, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/** Lines of waiters: those that are as they should be, and beside them the one that is not, which comes last. */
const at = watchedRedis();
const PATIENCE_MS = 90_000;

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

const owner = (name: string): string => `11111111-1111-4111-8111-${name.padStart(12, '0')}:1`;

describe('an owner that holds up others', () => {
  async function take(key: string, by: string): Promise<void> {
    await at.client.multi().hincrby(key, by, 1).pexpire(key, 600_000).exec();
  }
  async function queue(key: string, ...owners: string[]): Promise<void> {
    const steps = at.client.multi();
    for (const each of owners) {
      steps.rpush(`redisson_lock_queue:{${key}}`, each);
      steps.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + 600_000, each);
    }
    await steps.exec();
  }
  /** Two wait for the root’s lock, and others for that of the first of them. */
  async function chain(name: string, digit: string, last: readonly string[]): Promise<string> {
    const root = owner(`${digit}0`);
    await take(`${name}:1`, root);
    await take(`${name}:2`, owner(`${digit}1`));
    await queue(`${name}:1`, owner(`${digit}1`));
    await queue(`${name}:2`, ...last.map((each) => owner(`${digit}${each}`)));
    return root;
  }
  async function unchain(name: string): Promise<void> {
    const keys = [1, 2].map((n) => `${name}:${n}`);
    await at.client.del(...keys, ...keys.map((key) => `redisson_lock_queue:{${key}}`));
  }
  const listed = (root: string, blocked: number) =>
    until(
      `the chain of ${root}`,
      async () =>
        (await at.console.query('chains')).find(
          (each) => each.root === root && each.blocked === blocked,
        ),
      PATIENCE_MS,
    );
  const unlisted = (root: string) =>
    until(
      `no chain of ${root}`,
      async () => (await at.console.query('chains')).every((each) => each.root !== root),
      PATIENCE_MS,
    );

  it('over several locks for long is told, and neither a queue for one lock, nor two, nor a moment', async () => {
    await take('queue:1', owner('a0'));
    await queue('queue:1', ...['a1', 'a2', 'a3', 'a4', 'a5'].map(owner));
    expect(await listed(owner('a0'), 5)).toMatchObject({ depth: 1 });
    expect(await listed(await chain('short', 'b', ['2']), 2)).toMatchObject({ depth: 2 });
    let isOver = false;
    /** Waits as they come and go all day. */
    const comesAndGoes = async (): Promise<void> => {
      while (!isOver) {
        const root = await chain('brief', 'c', ['2', '3']);
        await listed(root, 3);
        await pause(1000);
        await unchain('brief');
        await unlisted(root);
      }
    };
    const done = comesAndGoes();
    stops.push(async () => {
      isOver = true;
      await done;
    });
    const root = await chain('lasting', 'd', ['2', '3']);
    await listed(root, 3);
    const { summary, remedy } = await firing(
      at.console,
      'blocking-chain',
      'lasting:1',
      PATIENCE_MS,
    );
    expect(summary).toContain(`${root} waits for nobody and holds up 3 owners`);
    expect(summary).toContain('2 of them one behind the other');
    expect(remedy).toContain('Releasing lasting:1 lets 3 owners go on');
    await listed(owner('a0'), 5);
    await listed(owner('b0'), 2);
    const told = (await at.console.alerts('blocking-chain')).map(({ subject }) => subject.label);
    expect(told).toEqual(['lasting:1']);
  }, 300_000);
});

describe('a queue of our own client', () => {
  const keyOf = (name: string): string => `qoder:lock:${name}`;

  it('that never gets empty though each hold is short is a convoy, and none that empties, works, or stands still', async () => {
    const client = createLockClient({ redis: at.redis.client(), allowInsecure: true });
    let isOver = false;
    const running: Promise<unknown>[] = [];
    const stop = async (): Promise<void> => {
      isOver = true;
      await Promise.all(running);
    };
    stops.push(async () => {
      await stop();
      await client.close();
    });
    const turns = new Map<string, number>();
    const hold = (name: string, work: () => Promise<void>) =>
      client.using(name, { waitMs: Infinity }, async () => {
        turns.set(name, (turns.get(name) ?? 0) + 1);
        await work();
      });
    /** As many tasks, each of which comes again as soon as it was let go. */
    const lineUp = (name: string, tasks: number, work: () => Promise<void>): void => {
      for (let i = 0; i < tasks; i++) {
        const comeAgain = async (): Promise<void> => {
          while (!isOver) await hold(name, work);
        };
        running.push(comeAgain());
      }
    };
    const briefly = () => pause(5);

    const inRounds = async (): Promise<void> => {
      while (!isOver) {
        await Promise.all(Array.from({ length: 6 }, () => hold('rounds:1', briefly)));
      }
    };
    running.push(inRounds());
    lineUp('few:1', 3, briefly);
    lineUp('work:1', 6, () => pause(250));
    const stillAt = Date.now() + 4_000;
    lineUp('still:1', 6, async () => {
      await briefly();
      const isSeen = (turns.get('still:1') ?? 0) > 25 && Date.now() > stillAt;
      while (isSeen && !isOver) await pause(20);
    });
    const all = ['rounds:1', 'few:1', 'work:1', 'still:1'];
    await until(
      'each had its turns',
      () => all.every((name) => (turns.get(name) ?? 0) > 25) && Date.now() > stillAt,
      PATIENCE_MS,
    );

    lineUp('stock:1', 8, briefly);
    const { severity, summary } = await firing(at.console, 'convoy', keyOf('stock:1'), PATIENCE_MS);
    expect(severity).toBe('info');
    expect(summary).toMatch(
      /^never fewer than \d+ wait although each hold takes only .+: .+ turns a second, with .+ from one to the next$/,
    );
    await seenAs(at.console, keyOf('still:1'), ({ waiting }) => waiting.count === 5);
    await seenAs(at.console, keyOf('work:1'), ({ waiting }) => (waiting.count ?? 0) >= 4);
    const told = (await at.console.alerts('convoy')).map(({ subject }) => subject.label);
    expect(told).toEqual([keyOf('stock:1')]);
    await stop();
    await resolved(at.console, 'convoy', keyOf('stock:1'));
  }, 300_000);
});
