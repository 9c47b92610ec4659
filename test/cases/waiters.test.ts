import { Redisson } from 'node-redisson';
import { Mutex, Semaphore } from 'redis-semaphore';
import { describe, expect, it } from 'vitest';
import type { LockDetail } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*,{inv}*' } });
/** Far longer than a test waits: who goes on before has been woken or has looked. */
const LEASE_MS = 600_000;

const held = async (key: string): Promise<LockDetail> =>
  await until(`${key} is held`, async () => {
    const found = await at.console.detail(key);
    return found?.hold && found.hold.owner.id !== '' ? found : undefined;
  });

async function release(key: string): Promise<unknown> {
  const { hold } = await held(key);
  return (await at.console.release(key, { version: hold?.version, reason: 'let others in' })).body;
}

const instance = (): Redisson =>
  new Redisson({ redis: { options: { host: '127.0.0.1', port: at.redis.port } } });

describe('whoever waits by its library goes on after a forced release', () => {
  it.each(['inv:9', '{inv}:9', 'inv:{9}'])(
    'node-redisson, asleep on its channel (%s)',
    async (key) => {
      const [holder, waiter] = [instance(), instance()];
      await holder.getLock(key).lock(BigInt(LEASE_MS));
      let isIn = false;
      const waiting = waiter
        .getLock(key)
        .lock(BigInt(LEASE_MS))
        .then(() => (isIn = true));
      await until(
        'it is seen waiting',
        async () => (await at.console.lock(key))?.waiting.count === 1,
      );
      const before = await held(key);
      expect(await release(key)).toMatchObject({ outcome: 'released', wokeWaiters: 1 });
      await until('the waiter has the lock', () => isIn);
      await waiting;
      const after = await held(key);
      expect(after.hold?.generation).toBe((before.hold?.generation ?? 0) + 1);
      expect(
        after.holds.find(({ generation }) => generation === before.hold?.generation),
      ).toMatchObject({
        endReason: 'force-released',
        endedBy: 'token:admin',
      });
      await Promise.all([holder, waiter].map((each) => each.quit()));
    },
  );

  it('redis-semaphore, which polls: a mutex and a semaphore', async () => {
    const client = at.redis.client();
    const options = {
      lockTimeout: LEASE_MS,
      acquireTimeout: LEASE_MS,
      onLockLost: () => undefined,
    };
    for (const [key, make] of [
      ['mutex:m', () => new Mutex(client, 'm', options)],
      ['semaphore:s', () => new Semaphore(client, 's', 1, options)],
    ] as const) {
      const [first, second] = [make(), make()];
      await first.acquire();
      await held(key);
      let isIn = false;
      const waiting = second.acquire().then(() => (isIn = true));
      expect(await release(key)).toMatchObject({ outcome: 'released', wokeWaiters: null });
      await until('the other has it', () => isIn);
      await waiting;
      first.stopRefresh();
      await second.release();
    }
  });
});
