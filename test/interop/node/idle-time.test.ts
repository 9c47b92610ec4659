import { describe, expect, it } from 'vitest';
import type { Waiting } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import { node } from '@/test/interop/node/ecosystem';
import { interopWorld } from '@/test/interop/world';

const world = interopWorld(node, { env: { LOCKSCOPE_DBS: '*' } });

/** Libraries that poll: whether their tries touch the key, and the key that they make of a name. */
const POLLERS = [
  { library: 'redlock-4', touches: true, retryMs: 200 },
  { library: 'redis-semaphore-mutex', touches: true, retryMs: 50, prefix: 'mutex:' },
  { library: 'ioredis-lock', touches: true, retryMs: 50 },
  { library: 'verrou', touches: true, retryMs: 250 },
  // Their tries ask for EXISTS, which leaves no trace.
  { library: 'redlock-5', touches: false, retryMs: 200 },
  { library: 'sesamecare-redlock', touches: false, retryMs: 200 },
];
const LEASE_MS = 90_000;

const waitingOn = async (key: string): Promise<Waiting | undefined> =>
  (await world.console.detail(key))?.waiting;

describe('clients that poll', () => {
  it('are suspected where their tries touch the key, and nobody is where none waits', async () => {
    const locks = await Promise.all(
      POLLERS.map(async ({ library, touches, retryMs, prefix = '' }) => {
        const name = `it:idle:${library}`;
        const holder = world.peer.client(library, 'holder');
        await holder.ask('acquire', name, { leaseMs: LEASE_MS });
        await holder.ask('acquire', `${name}:alone`, { leaseMs: LEASE_MS });
        const waiter = world.peer.client(library, 'waiter');
        const waits = waiter.ask('acquire', name, { leaseMs: 1000, waitMs: LEASE_MS, retryMs });
        return { name, holder, waits, touches, key: `${prefix}${name}` };
      }),
    );
    const suspected = async (): Promise<string[]> => {
      const all = await Promise.all(locks.map(async ({ key }) => [key, await waitingOn(key)]));
      return all.flatMap(([key, waiting]) =>
        typeof key === 'string' && typeof waiting === 'object' && waiting.source === 'idle-time'
          ? [key]
          : [],
      );
    };
    const touched = locks.filter(({ touches }) => touches).map(({ key }) => key);
    const seen = new Set<string>();
    await until(
      'everybody who can be suspected is',
      async () => {
        for (const key of await suspected()) seen.add(key);
        return touched.every((key) => seen.has(key)) ? [...seen] : undefined;
      },
      60_000,
    );
    expect([...seen].sort()).toEqual([...touched].sort());
    for (const { key } of locks) {
      const alone = await waitingOn(`${key}:alone`);
      expect(alone).toMatchObject({ source: 'poll', count: null });
      expect((alone?.hints ?? []).map(({ source }) => source)).not.toContain('idle-time');
    }
    for (const { name, holder, waits } of locks) {
      await holder.ask('release', name);
      await waits;
    }
  }, 90_000);
});
