import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient, type LockClientOptions } from '@/lib/lock/index';
import { runAction } from '@/server/actions/run-action';
import { locks } from '@/server/queries/locks';
import { waits } from '@/server/queries/waits';
import { addressOf, startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

const reason = 'the holder is stuck';

let server: TestServer;
const clients: LockClient[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

function clientOf(options: Partial<LockClientOptions> = {}): LockClient {
  const redis = server.redis.client();
  const client = createLockClient({ redis, allowInsecure: true, ...options });
  clients.push(client);
  return client;
}

async function releaseByForce(key: string): Promise<unknown> {
  const { hold } = await server.lock(key);
  const input = { ...addressOf(key), version: hold?.version, reason };
  return await runAction(server.as('operator'), 'lock.release', input);
}

describe('a forced release of a lock of our own client', () => {
  it('tells the holder at once, and hands the lock to the first that waits', async () => {
    const [one, two] = [clientOf({ app: 'first' }), clientOf({ app: 'second' })];
    const first = await one.acquire('forced', { businessId: 'SO-1' });
    const waiting = two.acquire('forced');
    await until('the second waits', () => server.context.table.get(0, first.key)?.queue.length);
    await until(
      'its business is known',
      () => server.context.table.get(0, first.key)?.hold?.businessId,
    );
    const result = await releaseByForce(first.key);
    expect(result).toMatchObject({ outcome: 'released', wokeWaiters: 1, cameBack: false });
    const second = await waiting;
    await until('the first is told', () => first.signal.aborted);
    expect(second.fence).toBeGreaterThan(first.fence);
    const lock = await server.lock(first.key, ({ hold }) => hold?.owner.id === second.owner);
    expect(lock.holds[0]).toMatchObject({
      ...{ owner: first.owner, endReason: 'force-released', businessId: 'SO-1' },
    });
    const { items } = await server.context.store.audit({ limit: 5, key: first.key });
    expect(items.map(({ businessId }) => businessId)).toEqual(['SO-1', 'SO-1']);
    await second.release();
  });

  it('tells a holder inside using(), whose work ends with LOST', async () => {
    const client = clientOf();
    let key = '';
    const work = client.using('forced-work', async (lock) => {
      key = lock.key;
      await new Promise((resolve) => lock.signal.addEventListener('abort', resolve));
    });
    const failure = expect(work).rejects.toMatchObject({ code: 'LOST' });
    await until('it holds', () => key !== '' && server.context.table.get(0, key)?.hold?.token);
    await releaseByForce(key);
    await failure;
  });

  it('of a semaphore tells every member and lets others in', async () => {
    const client = clientOf();
    const slots = client.semaphore('forced-slots', 2);
    const inside = [await slots.acquire(), await slots.acquire()];
    const key = inside[0]?.key ?? '';
    const waiting = slots.acquire();
    await until('one waits', () => server.context.table.get(0, key)?.queue.length);
    await server.lock(key, ({ members }) => members.length === 2);
    await releaseByForce(key);
    const third = await waiting;
    await until('both are told', () => inside.every(({ signal }) => signal.aborted));
    await third.release();
  });
});

describe('what our own client tells the console', () => {
  it('makes its waits exact, and finds locks by service', async () => {
    const [one, two] = [clientOf({ app: 'stock-service' }), clientOf({ app: 'cart' })];
    const first = await one.acquire('told');
    const found = await until('it is found', () => {
      const { items } = locks(server.as('admin'), { owner: 'stock-service' });
      return items.length > 0 ? items : undefined;
    });
    expect(found).toMatchObject([{ key: first.key, hold: { owner: { pid: process.pid } } }]);
    const waiting = two.acquire('told');
    await until('the second waits', () => server.context.table.get(0, first.key)?.queue.length);
    const waitsSince = performance.now();
    await pause(150);
    const waitedMs = performance.now() - waitsSince;
    await first.release();
    const second = await waiting;
    await second.release();
    const timed = await until('the wait is counted', async () => {
      const seen = await waits(server.as('admin'), { class: 'qoder:lock:told' });
      return seen.count > 0 ? seen : undefined;
    });
    expect(timed).toMatchObject({ count: 1, evidence: 'observed' });
    // At least as long as it was seen to wait, and no longer than until it had heard that it waits no more.
    expect(timed.p50).toBeGreaterThan(0.98 * waitedMs);
    expect(timed.p50).toBeLessThan(1.02 * second.waitedMs);
  });

  it('closes a circle of tasks that wait for each other, with all its names', async () => {
    const [one, two] = [clientOf({ app: 'left' }), clientOf({ app: 'right' })];
    const stop = new AbortController();
    const { signal } = stop;
    const crosswise = async (client: LockClient, names: [string, string]): Promise<void> =>
      await client.task(async () => {
        const first = await client.acquire(names[0]);
        await until('both hold one', () =>
          names.every((name) => server.context.table.get(0, `qoder:lock:${name}`)?.hold),
        );
        await client.acquire(names[1], { signal, waitMs: 100_000 }).catch(() => undefined);
        await first.release();
      });
    const tasks = [crosswise(one, ['left', 'right']), crosswise(two, ['right', 'left'])];
    const [cycle] = await until('it is found', () => {
      const confirmed = server.context.analysis.deadlocks().filter(({ state, cycle: steps }) => {
        // Who they are is read a moment later.
        return state === 'confirmed' && steps.every(({ ownerApp }) => ownerApp);
      });
      return confirmed.length > 0 ? confirmed : undefined;
    });
    expect(cycle).toMatchObject({ evidence: 'observed' });
    expect(cycle?.cycle.map(({ waitsFor }) => waitsFor.key).toSorted()).toEqual([
      'qoder:lock:left',
      'qoder:lock:right',
    ]);
    expect(cycle?.cycle.map(({ ownerApp }) => ownerApp).toSorted()).toEqual(['left', 'right']);
    expect(cycle?.cycle.every(({ waitingSince }) => waitingSince !== null)).toBe(true);
    stop.abort();
    await Promise.all(tasks);
    await until('it is over', () =>
      server.context.analysis.deadlocks().every(({ state }) => state === 'resolved'),
    );
  });

  it('opens an alert while its limits refuse attempts', async () => {
    const { instance } = clientOf();
    const refused = ['event', 'refused', 'key', 'qoder:lock:stormy', 'owner', `${instance}:1`];
    await server.client.xadd('lockscope:reports', '*', ...refused, 'count', '40');
    await server.client.xadd('lockscope:reports', '*', ...refused, 'count', '2');
    const alert = await until('it is told', () =>
      server.context.alerts
        .open()
        .find(({ code, count }) => code === 'retry-storm' && count === 42),
    );
    expect(alert).toMatchObject({ severity: 'warning', subject: { label: 'qoder:lock:stormy' } });
    expect(alert.summary).toContain('42 attempts refused');
  });
});
