import { afterEach, expect, it } from 'vitest';
import { startClusterNode } from '@/test/support/cluster-node';
import { until } from '@/test/support/until';
import { watchOf } from './watch-harness';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const KEYS = Array.from({ length: 150 }, (_, i) => `lock:${i}`);

it.each([
  ['says so in INFO', '+info', false],
  ['may not be asked for INFO', '-info', true],
])(
  'a node of a cluster that %s has all its keys read, slot by slot',
  async (_, rule, isRefused) => {
    const redis = await startClusterNode();
    stops.push(redis.stop);
    const client = redis.client();
    for (const key of KEYS) await client.set(key, key);
    await client.hset('lock:{a}', 'f', 'v');
    await client.rpush('redisson_lock_queue:{a}', 'x');
    await client.call('ACL', 'SETUSER', 'watcher', 'on', '>pw', '~*', '&*', '+@all', rule);
    const url = redis.url.replace('redis://', 'redis://watcher:pw@');
    const { watch, reads } = watchOf(redis, { url });
    stops.push(watch.stop);
    await watch.start();
    await until('it is ready', () => watch.ready);
    for (const key of KEYS) expect(reads(key).at(-1)?.value).toMatchObject({ bytes: key });
    expect(await watch.readNow({ db: 0, key: 'lock:7' })).toMatchObject({ key: 'lock:7' });
    const refused = String(await client.info('errorstats')).includes('errorstat_CROSSSLOT');
    expect(refused).toBe(isRefused);
  },
);
