import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createLockWorld,
  rejection,
  type ClientOptions,
  type LockWorld,
} from '@/test/support/lock-fleet/lock-world';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

let world: LockWorld;

beforeAll(async () => {
  world = await createLockWorld();
});
afterEach(async () => {
  await world.reset();
});
afterAll(async () => {
  await world.stop();
});

type Report = Record<string, string>;

async function readReports(stream = 'lockscope:reports'): Promise<Report[]> {
  const entries = await world.admin.xrange(stream, '-', '+');
  return entries.map(([, values]) => {
    const pairs: Report = {};
    for (let index = 0; index < values.length; index += 2) {
      pairs[values[index] ?? ''] = values[index + 1] ?? '';
    }
    return pairs;
  });
}

async function untilReported(event: string, count = 1): Promise<Report[]> {
  return await until(`${event} is reported`, async () => {
    const found = (await readReports()).filter((report) => report.event === event);
    return found.length >= count ? found : null;
  });
}

/** A hold of `holdMs` that another one waited for. */
async function contend(options: ClientOptions, holdMs: number): Promise<string> {
  const name = world.freshName();
  const [client, other] = [world.client(options), world.client(options)];
  const holder = await client.acquire(name, { businessId: 'first' });
  const waiting = other.using(name, { businessId: 'second' }, async () => await pause(holdMs));
  await world.untilQueued(holder.key, 1);
  await pause(holdMs);
  await holder.release();
  await waiting;
  await other.close();
  await client.close();
  return holder.key;
}

describe('reports', () => {
  it('tell of a wait and of the hold that came of it, with owner, holder, times and business id', async () => {
    const key = await contend({ reports: 'contended' }, 120);
    const [waiting] = await untilReported('waiting');
    const [granted] = await untilReported('granted');
    const released = await untilReported('released');
    expect(waiting).toMatchObject({
      key,
      businessId: 'second',
      holder: expect.stringMatching(/:/),
    });
    expect(granted).toMatchObject({ key, owner: waiting?.owner, businessId: 'second' });
    expect(Number(granted?.waitedMs)).toBeGreaterThanOrEqual(100);
    expect(Number(granted?.fence)).toBeGreaterThan(0);
    const ours = released.find(({ owner }) => owner === waiting?.owner);
    expect(ours).toMatchObject({ key, fence: granted?.fence, businessId: 'second' });
    expect(Number(ours?.heldMs)).toBeGreaterThanOrEqual(100);
  });

  it('are not written of what nobody waited for, unless all are asked for', async () => {
    const name = world.freshName();
    const quiet = world.client({ reports: 'contended' });
    await quiet.using(name, async () => await pause(80));
    await quiet.close();
    expect(await readReports()).toEqual([]);
    const loud = world.client({ reports: 'all' });
    await loud.using(name, async () => await pause(80));
    await loud.close();
    const events = (await readReports()).map(({ event }) => event);
    expect(events).toEqual(['granted', 'released']);
  });

  it('are not written at all when they are off', async () => {
    await contend({ reports: 'off' }, 80);
    expect(await world.admin.exists('lockscope:reports')).toBe(0);
  });

  it('tell how a wait ended without the lock', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const client = world.client();
    await rejection(client.acquire(name, { waitMs: 60, businessId: 'b1' }));
    const abort = new AbortController();
    const aborted = rejection(client.acquire(name, { signal: abort.signal }));
    await world.untilQueued(holder.key, 1);
    abort.abort();
    await aborted;
    const [timedOut] = await untilReported('timed-out');
    const [cancelled] = await untilReported('cancelled');
    expect(timedOut).toMatchObject({ key: holder.key, holder: holder.owner, businessId: 'b1' });
    // A timer may fire a millisecond early.
    expect(Number(timedOut?.waitedMs)).toBeGreaterThanOrEqual(59);
    expect(cancelled).toMatchObject({ key: holder.key, holder: holder.owner });
  });

  it('tell of a lease that was lost', async () => {
    const lock = await world
      .client({ ttlMs: 300 })
      .acquire(world.freshName(), { businessId: 'b2' });
    await world.admin.del(lock.key);
    const [lost] = await untilReported('lost');
    expect(lost).toMatchObject({
      key: lock.key,
      owner: lock.owner,
      fence: `${lock.fence}`,
      businessId: 'b2',
    });
    expect(Number(lost?.heldMs)).toBeGreaterThanOrEqual(0);
  });

  it('always tell the end of a wait that they told of, however it ended', async () => {
    const clients = [world.client(), world.client(), world.client()];
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const client = clients[index % 3];
        const options = {
          waitMs: index % 5 === 0 ? index % 40 : 20_000,
          signal: index % 7 === 0 ? AbortSignal.timeout(index % 60) : undefined,
        };
        const work = client?.using(
          `shared-${index % 4}`,
          options,
          async () => await pause(index % 3),
        );
        await work?.catch(() => {});
      }),
    );
    for (const client of clients) await client.close();
    const reports = await readReports();
    const open = new Set<string>();
    for (const { event, key, owner } of reports) {
      if (event === 'waiting') open.add(`${owner} ${key}`);
      else if (event !== 'lost') open.delete(`${owner} ${key}`);
    }
    expect(reports.some(({ event }) => event === 'waiting')).toBe(true);
    expect([...open]).toEqual([]);
  });

  it('count every refused attempt, in one entry a second at most', async () => {
    const client = world.client({ limits: { attemptsPerSecond: 0.01 } });
    await client.using('a', () => {});
    const attempt = async (): Promise<void> =>
      expect(await rejection(client.acquire('a'))).toMatchObject({ code: 'RATE_LIMITED' });
    const startedAt = performance.now();
    const told = async (): Promise<number[]> =>
      (await readReports())
        .filter(({ event }) => event === 'refused')
        .map(({ count }) => Number(count));
    const sum = (counts: number[]): number => counts.reduce((total, each) => total + each, 0);
    for (let n = 0; n < 20; n++) await attempt();
    await until('all are told', async () => sum(await told()) === 20);
    await attempt();
    await client.close();
    await until('the last one is told', async () => sum(await told()) === 21);
    const [first, ...later] = await told();
    expect(first).toBe(1);
    expect(later.length).toBeLessThanOrEqual((performance.now() - startedAt) / 1_000 + 1);
  });

  it('of a namespace stand in a stream of its own', async () => {
    await contend({ reports: 'all', namespace: 'billing' }, 60);
    expect((await readReports('lockscope:reports:billing')).length).toBeGreaterThan(0);
    expect(await world.admin.exists('lockscope:reports')).toBe(0);
  });

  it('stay near ten thousand', async () => {
    const client = world.client({ reports: 'all' });
    for (let batch = 0; batch < 30; batch++) {
      await Promise.all(
        Array.from({ length: 500 }, async (_, index) => await client.using(`n${index}`, () => {})),
      );
    }
    await client.close();
    const length = await world.admin.xlen('lockscope:reports');
    expect(length).toBeGreaterThan(5_000);
    expect(length).toBeLessThan(12_000);
  });
});
