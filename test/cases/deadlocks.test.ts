import { afterEach, describe, expect, it } from 'vitest';
import type { AlertDetail } from '@/lib/protocol/alert';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';
const C = '33333333-3333-4333-8333-333333333333:33';
const LEASE_MS = 300_000;
/** For whatever must come about, on a slow machine too. */
const SOON_MS = 60_000;

const at = watchedRedis();
afterEach(() => at.client.flushdb());

async function take(key: string, owner: string, leaseMs = LEASE_MS): Promise<void> {
  await at.client.hincrby(key, owner, 1);
  await at.client.pexpire(key, leaseMs);
}
async function queue(key: string, owner: string): Promise<void> {
  await at.client.rpush(`redisson_lock_queue:{${key}}`, owner);
  await at.client.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + 300_000, owner);
}
/** Two owners hold one lock each and queue for the other's. */
async function cross(one: string, two: string, leaseMs = LEASE_MS): Promise<void> {
  await take(one, A, leaseMs);
  await take(two, B, LEASE_MS);
  await queue(two, A);
  await queue(one, B);
}

const about = ({ cycle }: Deadlock, key: string): boolean =>
  cycle.some(({ waitsFor }) => waitsFor.key === key);
const deadlockOf = (key: string, state: Deadlock['state'] = 'confirmed') =>
  until(
    `a ${state} deadlock about ${key}`,
    async () =>
      (await at.console.query('deadlocks')).find((one) => one.state === state && about(one, key)),
    SOON_MS,
  );
/** Without those that are only foretold from the orders in which the locks were taken. */
const incidentsAbout = async (key: string) =>
  (await at.console.query('deadlocks')).filter(
    (one) => one.state !== 'predicted' && about(one, key),
  );
const alertsOf = async (key: string) =>
  (await at.console.alerts('deadlock')).filter(({ subject }) =>
    subject.locks.some((lock) => lock.key === key),
  );

describe('two nested locks that are taken in opposite orders', () => {
  it('are one incident with both locks, both owners, since when, and the evidence of each edge', async () => {
    await cross('acct:1', 'acct:2');
    const deadlock = await deadlockOf('acct:1');
    const edges = deadlock.cycle.map((edge) => [
      edge.owner,
      edge.waitsFor.key,
      edge.heldBy,
      edge.source,
      edge.evidence,
    ]);
    expect(edges.toSorted()).toEqual([
      [A, 'acct:2', B, 'fair-queue', 'observed'],
      [B, 'acct:1', A, 'fair-queue', 'observed'],
    ]);
    for (const { waitingSince, heldSince, checkedAt } of deadlock.cycle) {
      expect(waitingSince).not.toBeNull();
      expect(heldSince).not.toBeNull();
      expect(checkedAt).toBeGreaterThanOrEqual(deadlock.since);
    }
    const [alert] = await until('its alert', async () => {
      const found = await alertsOf('acct:1');
      return found.length > 0 ? found : undefined;
    });
    const circle = [A, 'acct:2', B, 'acct:1', A, 'acct:2', B];
    const paths = [circle.slice(0, 5), circle.slice(2)].map((path) => path.join(' → '));
    expect(paths.map((path) => `${path}: each waits for the next`)).toContain(
      alert?.summary.split(', confirmed')[0],
    );
    expect(alert?.summary).toMatch(
      /confirmed \(every wait is in a queue\); oldest wait \d+(\.\d+)? \w+$/,
    );
    expect(alert?.remedy).toMatch(/^Release acct:[12], held by .*: that lets 2 owners go on/);
    expect(deadlock.victim).toMatchObject({ frees: 2 });
    // However often it is checked.
    await pause(2000);
    expect(await alertsOf('acct:1')).toHaveLength(1);
    expect(await incidentsAbout('acct:1')).toHaveLength(1);
  });

  it('end when the suggested lock is released, which is kept with the graph as it was', async () => {
    await cross('acct:3', 'acct:4');
    const { victim, id } = await deadlockOf('acct:3');
    const key = victim?.lock.key ?? '';
    const { hold } = await at.console.heldBy(key, victim?.owner ?? '');
    const body = { version: hold?.version, reason: 'the deadlock' };
    expect((await at.console.release(key, body)).status).toBe(200);
    const resolved = await deadlockOf('acct:3', 'resolved');
    expect(resolved.id).toBe(id);
    expect(resolved.cycle).toHaveLength(2);
    expect(resolved.brokenBy).toMatchObject({
      lock: { key },
      owner: victim?.owner,
      reason: 'force-released',
    });
    const alert = await until(
      'its alert is over',
      async () => {
        const { items } = await at.console.query('alerts', { state: 'resolved', code: 'deadlock' });
        return items.find(({ subject }) => subject.deadlockId === id);
      },
      SOON_MS,
    );
    const { brokenBy } = resolved;
    expect(brokenBy?.by).toEqual(expect.any(String));
    const text = `Broken by ${brokenBy?.by}, who released ${key} by force; ${victim?.owner} held it.`;
    // What a console is told late it says itself that it is inferred.
    const evidence = brokenBy?.evidence ?? 'unknown';
    expect(['observed', 'inferred']).toContain(evidence);
    expect(alert.ending).toMatchObject({ text, actor: brokenBy?.by, evidence });
    const { events } = await at.console.get<AlertDetail>(`/alerts/${alert.id}`);
    expect(events.find(({ kind }) => kind === 'resolved')).toMatchObject({
      ...{ text: expect.stringContaining(text), evidence },
    });
  });

  it('say when a lease ends them, and end with it', async () => {
    await cross('acct:5', 'acct:6', 30_000);
    const deadlock = await deadlockOf('acct:5');
    const ends = deadlock.resolvesAt ?? 0;
    const pttl = await at.client.pttl('acct:5');
    // Of the other lease it would be minutes.
    expect(Math.abs(ends - (Date.now() + pttl))).toBeLessThan(10_000);
    const resolved = await deadlockOf('acct:5', 'resolved');
    expect(resolved.brokenBy).toMatchObject({ lock: { key: 'acct:5' }, reason: 'lease-ended' });
  });

  it('are told as three in a circle with who is stuck behind', async () => {
    await take('acct:7', A);
    await take('acct:8', B);
    await take('acct:9', C);
    await queue('acct:8', A);
    await queue('acct:9', B);
    await queue('acct:9', '44444444-4444-4444-8444-444444444444:44');
    await queue('acct:7', C);
    const deadlock = await until(
      'the circle with one behind',
      async () =>
        (await at.console.query('deadlocks')).find(
          (one) => one.behind === 1 && about(one, 'acct:7'),
        ),
      SOON_MS,
    );
    expect(deadlock.cycle.map(({ owner }) => owner)).toEqual([A, B, C]);
    expect(deadlock.victim).toMatchObject({ frees: 4 });
  });
});

describe('an owner that waits for a lock it holds itself', () => {
  it('is a finding of its own and no deadlock', async () => {
    await take('nested:1', A);
    await queue('nested:1', A);
    const alert = await until(
      'self-wait fires',
      async () =>
        (await at.console.alerts('self-wait')).find(({ subject }) => subject.label === 'nested:1'),
      SOON_MS,
    );
    expect(alert.severity).toBe('critical');
    expect(await alertsOf('nested:1')).toEqual([]);
    expect(await incidentsAbout('nested:1')).toEqual([]);
  });
});

describe('an owner that holds up several others', () => {
  it('is the root of a chain that is listed, and a finding once it lasts', async () => {
    await take('chain:1', A);
    await take('chain:2', B);
    await queue('chain:1', B);
    await queue('chain:1', '55555555-5555-4555-8555-555555555555:55');
    await queue('chain:2', C);
    const chain = await until(
      'the chain is listed',
      async () =>
        (await at.console.query('chains')).find(({ root, blocked }) => root === A && blocked === 3),
      SOON_MS,
    );
    expect(chain).toMatchObject({ depth: 2, holds: [{ key: 'chain:1', renewed: false }] });
    const alert = await until(
      'blocking-chain fires',
      async () =>
        (await at.console.alerts('blocking-chain')).find(
          ({ subject }) => subject.label === 'chain:1',
        ),
      SOON_MS,
    );
    expect(alert.summary).toContain(`${A} waits for nobody and holds up 3 owners`);
    await at.client.del('chain:1', 'redisson_lock_queue:{chain:1}');
    await until(
      'it resolves',
      async () =>
        (await at.console.alerts('blocking-chain')).every(({ state }) => state === 'resolved'),
      SOON_MS,
    );
  });
});

describe('a deadlock that outlasts the console', () => {
  it('is the same incident after a restart, and after a kill', async () => {
    await cross('long:1', 'long:2');
    const first = await deadlockOf('long:1');
    const alertOf = async () => (await alertsOf('long:1')).map(({ id }) => id);
    const [alert] = await until('its alert', async () => {
      const ids = await alertOf();
      return ids.length > 0 ? ids : undefined;
    });
    for (const end of [() => at.console.terminate(), () => at.console.kill()]) {
      await end();
      const startedAt = Date.now();
      await at.console.restart();
      const again = await until(
        'it is confirmed anew',
        async () =>
          (await at.console.query('deadlocks')).find(
            (one) =>
              one.state === 'confirmed' &&
              about(one, 'long:1') &&
              (one.cycle[0]?.checkedAt ?? 0) > startedAt,
          ),
        SOON_MS,
      );
      expect([again.id, again.since]).toEqual([first.id, first.since]);
      expect(await alertOf()).toEqual([alert]);
    }
    await at.client.del('long:1', 'redisson_lock_queue:{long:1}');
    const resolved = await deadlockOf('long:1', 'resolved');
    expect([resolved.id, resolved.since]).toEqual([first.id, first.since]);
    expect(await incidentsAbout('long:1')).toHaveLength(1);
  });
});
