import { describe, expect, it } from 'vitest';
import { parseExposition, valueOf } from '@/test/server/metrics/parse-exposition';
import { ADMIN_TOKEN } from '@/test/support/console';
import { pause } from '@/test/support/pause';
import { firing, onTime, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';
const C = '33333333-3333-4333-8333-333333333333:33';

const LEASE_MS = 600_000;
/** Room for the console to read two hundred leases on a slow machine; and three; and one that is far too short. */
const USUAL_MS = 120_000;
const LAPSING_MS = 15_000;
const FAR_TOO_SHORT_MS = 6_000;

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });

const fairKeys = (key: string) => [
  `redisson_lock_queue:{${key}}`,
  `redisson_lock_timeout:{${key}}`,
];

/** Takes, queues and grants as Redisson's fair lock does. */
const take = async (key: string, owner: string): Promise<void> => {
  await at.client.multi().hset(key, owner, 1).pexpire(key, LEASE_MS).exec();
};
const queue = async (key: string, owner: string): Promise<void> => {
  const [waiters = '', deadlines = ''] = fairKeys(key);
  const deadline = Date.now() + LEASE_MS;
  await at.client.multi().rpush(waiters, owner).zadd(deadlines, deadline, owner).exec();
};
/** Given back, and granted to the next in one breath: nobody is held up in between by a test that is late. */
const handOver = async (key: string, owner: string): Promise<void> => {
  const [waiters = '', deadlines = ''] = fairKeys(key);
  const steps = at.client.pipeline().del(key).lpop(waiters).zrem(deadlines, owner);
  await steps.hset(key, owner, 1).pexpire(key, LEASE_MS).exec();
};
const waiting = async (key: string, count: number) =>
  await seenAs(at.console, key, (lock) => lock.waiting.count === count);

/** A held for a while, B and C waited; B got it and gave it back, C gave up. */
async function contend(key: string): Promise<void> {
  await take(key, A);
  await queue(key, B);
  await queue(key, C);
  await waiting(key, 2);
  await pause(600);
  const [waiters = '', deadlines = ''] = fairKeys(key);
  await at.client.multi().lrem(waiters, 1, C).zrem(deadlines, C).exec();
  await handOver(key, B);
  await waiting(key, 0);
  await at.client.del(key);
  await seenAs(at.console, key, ({ state }) => state === 'free');
}

/** The exposition as it is now. */
async function metrics() {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const answer = await fetch(`${at.console.url}/metrics`, { headers });
  return parseExposition(await answer.text(), 'text');
}

describe('silent waiting', () => {
  it('is a distribution that says where it comes from, and of whom nothing is known', async () => {
    const sources = await onTime(
      async (letter) => {
        const key = `inv:waits-${letter}`;
        await contend(key);
        return await until('the waits are told', async () => {
          const told = await at.console.query('waits', { key });
          return told.count >= 2 ? told.sources : null;
        });
      },
      (seen) => seen.every(({ evidence }) => evidence === 'observed'),
    );
    expect(sources).toMatchObject([{ source: 'fair-queue', evidence: 'observed' }]);
    await at.client.set('inv:polled', 'token', 'PX', LEASE_MS);
    await at.console.heldBy('inv:polled', 'token');
    await at.client.del('inv:polled');
    const waits = await until('the waits are told', async () => {
      const told = await at.console.query('waits');
      const isBoth = told.count >= 2 && told.notObservable.length > 0;
      return isBoth ? told : null;
    });
    expect(waits.p95).toBeGreaterThanOrEqual(500);
    expect(waits.notObservable).toMatchObject([{ class: 'inv:polled', reason: 'polls' }]);
  });

  it('is a number of each lock, while it lasts and afterwards', async () => {
    await take('inv:gauge', A);
    await queue('inv:gauge', B);
    await queue('inv:gauge', C);
    const lock = await waiting('inv:gauge', 2);
    expect(lock.waiting.evidence).toBe('observed');
    const values = await until('the heatmap has it', async () => {
      const map = await at.console.query('heatmap', { metric: 'waiters', group: 'lock' });
      const row = map.rows.findIndex(({ label }) => label === 'inv:gauge');
      const some = (map.values[row] ?? []).filter((value) => value !== null && value > 0);
      return some.length > 0 ? some : null;
    });
    expect(values.every((value) => value !== null && value <= 2)).toBe(true);
    await at.client.del('inv:gauge', ...fairKeys('inv:gauge'));
  });

  it('is put on whoever held the lock', async () => {
    await contend('inv:blamed');
    const leaves = await until('the blame is told', async () => {
      const told = await at.console.query('blame', { key: 'inv:blamed' });
      // Two waited for six tenths of a second.
      return told.leaves.some(({ owner, waitMs }) => owner === A && waitMs >= 1000)
        ? told.leaves
        : null;
    });
    expect(leaves[0]).toMatchObject({ cause: 'holder', owner: A, class: 'inv:blamed' });
  });

  it('has acquired, released, failed and held by class, on the page and for Prometheus', async () => {
    const { row, of } = await onTime(
      async (letter) => {
        const name = `inv:four-${letter}`;
        await contend(name);
        const told = await until('the class is told', async () => {
          const { items } = await at.console.query('classes');
          return items.find((one) => one.class === name && one.ends.released === 2);
        });
        const exposition = await metrics();
        return {
          row: told,
          of: (figure: string, labels: Record<string, string> = {}) =>
            valueOf(exposition, `lockscope_class_${figure}`, { class: name, ...labels }),
        };
      },
      (seen) => seen.of('hold_duration_seconds_count', { evidence: 'observed' }) === 2,
    );
    expect(row).toMatchObject({ acquisitions: 2, holdMs: { count: 2 } });
    expect(of('acquisitions_total')).toBe(2);
    expect(of('ends_total', { reason: 'released' })).toBe(2);
    expect(of('failed_attempts_total')).toBe(2);
    expect(of('hold_duration_seconds_count', { evidence: 'observed' })).toBe(2);
  });
});

describe('a moment of the past', () => {
  it('has its holder, exactly, and nobody in between', async () => {
    for (const owner of ['first', 'second']) {
      await at.client.set('inv:past', owner, 'PX', LEASE_MS);
      await at.console.heldBy('inv:past', owner);
      await at.client.del('inv:past');
      await seenAs(at.console, 'inv:past', ({ state }) => state === 'free');
    }
    const { holds } = await seenAs(at.console, 'inv:past', (lock) => lock.holds.length === 2);
    const [second, first] = holds;
    const holderAt = async (time: number) =>
      (await at.console.query('holds', { key: 'inv:past', at: `${time}` })).items.map(
        ({ owner }) => owner,
      );
    expect(await holderAt(first?.start ?? 0)).toEqual(['first']);
    expect(await holderAt((first?.end ?? 0) - 1)).toEqual(['first']);
    expect(await holderAt(first?.end ?? 0)).toEqual([]);
    expect(await holderAt((second?.end ?? 0) - 1)).toEqual(['second']);
  });
});

describe('a lease that ends under its holder', () => {
  it('is an end of its own: counted, found by a view, and a series beside acquisitions', async () => {
    for (const key of ['inv:lapse:1', 'inv:lapse:2']) await at.client.set(key, 't', 'PX', 300);
    await seenAs(at.console, 'inv:lapse:2', ({ state }) => state === 'free');
    const row = await until('the class has both', async () => {
      const { items } = await at.console.query('classes');
      return items.find((one) => one.class === 'inv:lapse:*' && one.ends['lease-ended'] === 2);
    });
    expect(row.ends).toEqual({ 'lease-ended': 2 });
    const { items } = await at.console.query('locks', { view: 'lost', class: 'inv:lapse:*' });
    expect(items.map(({ key }) => key).toSorted()).toEqual(['inv:lapse:1', 'inv:lapse:2']);
    const series = await until('its step is over', async () => {
      const { lost, acquisitions } = await at.console.query('overview');
      const isTold = lost.some(({ value }) => value !== null && value >= 1);
      return isTold ? { lost, acquisitions } : null;
    });
    expect(series.lost.map((step) => step.at)).toEqual(series.acquisitions.map((step) => step.at));
  });

  it('is told of a class whose work is often longer, beside what is usual', async () => {
    const keys = Array.from({ length: 205 }, (_, n) => `inv:job:${n}`);
    const setAll = async (leaseMs: number, some: readonly string[]): Promise<void> => {
      const pipeline = at.client.pipeline();
      for (const key of some) pipeline.set(key, 'worker', 'PX', leaseMs);
      await pipeline.exec();
    };
    await setAll(USUAL_MS, keys);
    await until('the lease of each is read', async () => {
      const filter = { class: 'inv:job:*', state: 'held', limit: '1000' };
      const { items } = await at.console.query('locks', filter);
      const read = items.filter(({ hold }) => hold !== null && hold.leaseMs !== null);
      return read.length === keys.length;
    });
    await at.client.del(...keys);
    await setAll(LAPSING_MS, ['inv:job:1', 'inv:job:2', 'inv:job:3']);
    await setAll(FAR_TOO_SHORT_MS, ['inv:job:4']);
    const short = await firing(at.console, 'born-short', 'inv:job:4');
    expect(short.summary).toMatch(/^worker took it with a lease of \S+ m?s only; .* is usual/);
    const listed = await firing(at.console, 'lease-too-short', 'inv:job:*');
    expect(listed.summary).toMatch(
      / of the last 20\d holds outlasted the .* that they were taken for/,
    );
    expect(listed.subject.locks.map(({ key }) => key)).toContain('inv:job:1');
  });
});
