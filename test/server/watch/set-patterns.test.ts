import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesFromPrintable } from '@/server/queries/printed-key';
import { MAX_PATTERNS } from '@/server/watch/key-patterns';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let watching: Watching | null = null;

beforeEach(async () => {
  server = await startRedis();
  redis = server.client();
});
afterEach(async () => {
  await watching?.watch.stop();
  watching = null;
  await server.stop();
});

async function started(overrides: Parameters<typeof watchOf>[1] = {}): Promise<Watching> {
  watching = watchOf(server, overrides);
  await watching.watch.start();
  const { watch } = watching;
  await until('ready', () => watch.ready);
  return watching;
}

const patternsOf = ({ watch }: Pick<Watching, 'watch'>): string[] =>
  watch.status().nodes[0]?.patterns ?? [];

describe('other patterns while events come', () => {
  it('lose no event of what is watched before and after, and bring none twice', async () => {
    const seen = await started({ patterns: ['steady:*'] });
    const writer = server.client();
    let written = 0;
    let writes = true;
    const load = (async () => {
      while (writes) {
        const pipeline = writer.pipeline();
        for (let i = 0; i < 50; i++) pipeline.set('steady:key', String(++written));
        for (let i = 0; i < 50; i++) pipeline.set(`lock:${i}`, String(written));
        await pipeline.exec();
      }
    })();
    const most: number[] = [];
    for (let round = 0; round < 20; round++) {
      const pins = Array.from({ length: round % 5 }, (_, i) => `${'xyzuv'[i]}in-${i}:*`);
      const patterns = [...pins, 'steady:*'];
      seen.watch.setPatterns(patterns);
      const last = pins.at(-1);
      await until('the patterns changed', () =>
        last ? seen.watch.status().watch.includes(last) : true,
      );
      most.push(Number(await redis.call('PUBSUB', 'NUMPAT')));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    writes = false;
    await load;
    await seen.watch.readNow({ db: 0, key: 'steady:key' });
    expect(seen.events('steady:key').filter(({ event }) => event === 'set')).toHaveLength(written);
    const others = seen.events().filter(({ key }) => key.startsWith('lock:'));
    expect(others.filter(({ event }) => event === 'set')).toHaveLength(written);
    expect(Math.max(...most)).toBeLessThanOrEqual(MAX_PATTERNS);
    expect(seen.of('gap').filter(({ reason }) => reason !== 'console-stopped')).toEqual([]);
  });

  it('bring an event once, though two of them match its key', async () => {
    const seen = await started({ patterns: ['*-lock'] });
    for (let i = 0; i < 50; i++) await redis.set('lock:twice-lock', String(i));
    await until('the last value', () => seen.story('lock:twice-lock').includes('=49'));
    expect(seen.events('lock:twice-lock')).toHaveLength(50);
  });

  it('bring the keys that were there before, and events of those that come', async () => {
    await redis.set('cold:1', 'held');
    const seen = await started();
    expect(seen.reads('cold:1')).toEqual([]);
    seen.watch.setPatterns(['cold:*']);
    await until('it is swept', () => seen.reads('cold:1').length > 0);
    await redis.set('cold:2', 'new');
    await until('it is seen', () => seen.story('cold:2').includes('=new'));
    seen.watch.setPatterns([]);
    await until('the patterns went', () => !seen.watch.status().watch.includes('cold:*'));
    await redis.set('cold:3', 'unseen');
    await redis.set('lock:mark', 'seen');
    await until('what came later is seen', () => seen.story('lock:mark').includes('=seen'));
    expect(seen.story('cold:3')).toEqual([]);
  });

  it('count after a lost connection as well', async () => {
    const seen = await started();
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    seen.watch.setPatterns(['later:*']);
    await until('it is back', () => seen.watch.status().nodes[0]?.connected === true);
    const key = 'later:1';
    await until('it is seen', async () => {
      await redis.set(key, 'x');
      return seen.events(key).length > 0;
    });
  });

  it('count as well for a user who may not group commands', async () => {
    await redis.call('ACL', 'SETUSER', 'plain', 'on', '>pw', '~*', '&*', '+@all', '-multi');
    const seen = await started({ url: server.url.replace('//', '//plain:pw@') });
    seen.watch.setPatterns(['free:*']);
    await redis.set('free:1', 'x');
    await until('it is seen', () => seen.story('free:1').includes('=x'));
    expect(Number(await redis.call('PUBSUB', 'NUMPAT'))).toBeLessThanOrEqual(MAX_PATTERNS);
  });

  it.each([
    ['unsubscribe', ['-punsubscribe']],
    ['group commands or unsubscribe', ['-multi', '-punsubscribe']],
    ['end a group', ['-exec']],
  ])('count as well for a user who may not %s', async (_, rules) => {
    await redis.call('ACL', 'SETUSER', 'poor', 'on', '>pw', '~*', '&*', '+@all', ...rules);
    const seen = await started({ url: server.url.replace('//', '//poor:pw@') });
    for (let i = 0; i < 8; i++) {
      seen.watch.setPatterns([`free-${i}:*`]);
      await until('it is seen', async () => {
        await redis.set(`free-${i}:1`, 'x');
        return seen.story(`free-${i}:1`).includes('=x');
      });
      expect(Number(await redis.call('PUBSUB', 'NUMPAT'))).toBeLessThanOrEqual(3 * MAX_PATTERNS);
    }
    await redis.set('lock:once', 'x');
    await until('it is seen', () => seen.story('lock:once').includes('=x'));
    expect(seen.events('lock:once')).toHaveLength(1);
  });

  it('that are refused leave what there was, and the refusal is told', async () => {
    const { watch } = await started();
    const channels = patternsOf({ watch }).map((pattern) => `&${bytesFromPrintable(pattern)}`);
    await watch.stop();
    const rules = ['on', '>pw', '~*', 'resetchannels', ...channels, '+@all'];
    await redis.call('ACL', 'SETUSER', 'narrow', ...rules);
    const seen = await started({ url: server.url.replace('//', '//narrow:pw@') });
    const before = patternsOf(seen);
    seen.watch.setPatterns(['own:*', 'refused:*']);
    await until('it is told', () =>
      seen.watch.status().missingRules.some(({ capability }) => capability === 'psubscribe'),
    );
    expect(patternsOf(seen)).toEqual(before);
    await redis.set('lock:1', 'x');
    await until('what there was is seen', () => seen.story('lock:1').includes('=x'));
    seen.watch.setPatterns([]);
    await until('nothing is missing', () =>
      seen.watch.status().missingRules.every(({ capability }) => capability !== 'psubscribe'),
    );
  });
});
