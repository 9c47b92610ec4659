import { describe, expect, it } from 'vitest';
import { firing, resolved } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/** Several dbs of one Redis: what is as it should be comes first, and is judged once the other is told. */
const PATIENCE_MS = 60_000;

describe('a db that nobody watches', () => {
  const at = watchedRedis();

  it('is told of once it has locks, and never a cache', async () => {
    const cache = at.redis.client({ db: 1 });
    for (let i = 0; i < 300; i++) await cache.set(`page:${i}`, 'a cached page');
    await at.redis.client({ db: 2 }).set('lock:two', 't');
    const told = (db: number) =>
      until(
        `db ${db} is told of`,
        async () =>
          (await at.console.alerts('db-mismatch')).find(
            ({ state, summary }) => state === 'firing' && summary.includes(`lock:${db}`),
          ),
        PATIENCE_MS,
      );
    await at.redis.client({ db: 3 }).set('lock:3', 't');
    const { summary } = await told(3);
    expect(summary).toContain('lock:two');
    // What appears later is found in a later round, in which the cache was looked at as well.
    await at.redis.client({ db: 4 }).set('lock:4', 't');
    expect((await told(4)).summary).toMatch(/dbs? 2, 3, 4 ha/);
    const [target] = await at.console.query('targets');
    expect(target?.unwatchedDbs).toEqual([1, 2, 3, 4]);
  }, 300_000);
});

describe('one key in several dbs', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_DBS: '0,1,2' } });
  const token = (n: number): string => `8c1f0e5b9d3a47c2b6e8f1a0d4c7b9${`${n}`.padStart(2, '0')}`;
  const dbs = () => [0, 1, 2].map((db) => at.redis.client({ db }));

  const free = async (key: string, ...within: number[]): Promise<void> => {
    for (const db of within) {
      await until(
        `${key} is free in db ${db}`,
        async () => !(await at.console.detail(key, db))?.hold,
        PATIENCE_MS,
      );
    }
  };
  async function take(key: string, tokens: readonly string[]): Promise<void> {
    const clients = dbs();
    await Promise.all(tokens.map((each, db) => clients[db]?.set(key, each, 'PX', 600_000, 'NX')));
    for (const [db, each] of tokens.entries()) await at.console.heldBy(key, each, db);
  }
  async function give(key: string): Promise<void> {
    await Promise.all(dbs().map((db) => db.del(key)));
    await free(key, 0, 1, 2);
  }

  it('is no Redlock where each has its own holder, it was moved or copied, or its token is a word', async () => {
    const [zero] = dbs();
    if (!zero) throw new Error('three clients were made');
    for (const n of [1, 2, 3]) {
      await zero.set('lock:moved', token(n), 'PX', 600_000);
      await at.console.heldBy('lock:moved', token(n));
      await zero.move('lock:moved', 1);
      await at.console.heldBy('lock:moved', token(n), 1);
      await free('lock:moved', 0);
      await zero.set('lock:copied', token(n), 'PX', 600_000);
      await at.console.heldBy('lock:copied', token(n));
      await zero.copy('lock:copied', 'lock:copied', 'DB', 1);
      await at.console.heldBy('lock:copied', token(n), 1);
      for (const key of ['lock:moved', 'lock:copied']) await give(key);
      await take('lock:word', ['a-worker-by-name', 'a-worker-by-name', 'a-worker-by-name']);
      await give('lock:word');
      await take('lock:stage', [token(n), token(n + 10), token(n + 20)]);
      await give('lock:stage');
    }
    // Each is now held in some dbs, and in others not.
    await take('lock:stage', [token(4), token(14)]);
    await take('lock:word', ['a-worker-by-name', 'a-worker-by-name']);
    await zero.set('lock:copied', token(4), 'PX', 600_000);
    await zero.copy('lock:copied', 'lock:copied', 'DB', 1);
    await at.console.heldBy('lock:copied', token(4), 1);

    for (const n of [5, 6]) {
      await take('lock:quorum', [token(n), token(n), token(n)]);
      if (n === 5) await give('lock:quorum');
    }
    const alert = await firing(at.console, 'not-independent', 'lock:quorum', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'critical', evidence: 'inferred', count: 1 });
    expect(alert.summary).toContain(
      'lock:quorum is taken with one token in db 0, 1, 2 of this one',
    );
    await dbs()[2]?.del('lock:quorum');
    const partial = await firing(at.console, 'redlock-partial', 'lock:quorum', PATIENCE_MS);
    expect(partial.summary).toBe(
      `held by ${token(6)}, but not in db 2, where it has nodes as well`,
    );
    for (const code of ['not-independent', 'redlock-partial'] as const) {
      const labels = (await at.console.alerts(code)).map(({ subject }) => subject.label);
      expect(labels).toEqual(['lock:quorum']);
    }
    await give('lock:quorum');
    await resolved(at.console, 'redlock-partial', 'lock:quorum');
  }, 300_000);
});
