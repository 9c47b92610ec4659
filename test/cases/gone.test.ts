import type { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { firing, seenAs } from '@/test/support/seen';
import { watchedRedis } from '@/test/support/watched-redis';

const INSTANCE = 'b983c153-7421-469a-addb-44fb92259a1b';
const OTHER = '22222222-2222-4222-8222-222222222222';
/** Somebody who was there counts as gone a minute later, and who is there is asked every ten seconds. */
const GONE_WITHIN_MS = 180_000;
const LEASE_MS = 600_000;
const HOST_LOCK = 'job-lock:default:node-7';
const QUEUE = Buffer.from('mail').toString('base64');

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'shared:*' } });

/** All in one: each would wait for its own minute. */
describe('holders whose connection goes', () => {
  let connections: Redis[] = [];
  let renewing: NodeJS.Timeout | undefined;

  const connect = (name: string): void => {
    connections.push(at.redis.client({ connectionName: name }));
  };

  beforeAll(async () => {
    const { client } = at;
    const leaseOf = (reader: string): string => `{shared:prices}:${reader}:1:rwlock_timeout:1`;
    await client
      .multi()
      .hset('shared:prices', { mode: 'read', [`${INSTANCE}:1`]: 1, [`${OTHER}:1`]: 1 })
      .set(leaseOf(INSTANCE), '1', 'PX', LEASE_MS)
      .set(leaseOf(OTHER), '1', 'PX', LEASE_MS / 2)
      .pexpire('shared:prices', LEASE_MS)
      .exec();
    const value = `ADDED:2026-01-01T00:00:00.000Z@node-7:${OTHER}`;
    await client.set(HOST_LOCK, value, 'PX', LEASE_MS);
    renewing = setInterval(() => void client.set(HOST_LOCK, value, 'PX', LEASE_MS), 5_000);
    await client.set('bull:mail:17:lock', `${OTHER}:3`, 'PX', LEASE_MS);
    await client.set('lock:anybody', 'a token that tells nothing', 'PX', LEASE_MS);
    connect(`shop@${INSTANCE}`);
    connect(`prices@${OTHER}`);
    connect('billing@node-7');
    connect(`bull:${QUEUE}`);
    return () => clearInterval(renewing);
  });

  const liveness = (key: string) =>
    seenAs(at.console, key, ({ hold }) => hold !== null).then(({ hold }) => hold?.owner.liveness);

  it('are seen while it is there, and nothing is claimed of those who cannot be told', async () => {
    await seenAs(at.console, HOST_LOCK, ({ hold }) => hold?.owner.liveness === 'seen');
    const { members } = await seenAs(at.console, 'shared:prices', (lock) =>
      lock.members.every(({ owner }) => owner?.liveness === 'seen'),
    );
    expect(members.map(({ id, role }) => ({ id, role }))).toEqual([
      { id: `${INSTANCE}:1`, role: 'reader' },
      { id: `${OTHER}:1`, role: 'reader' },
    ]);
    const [first, second] = members;
    expect((first?.deadline ?? 0) - (second?.deadline ?? 0)).toBeGreaterThan(LEASE_MS / 3);
    expect(await liveness('lock:anybody')).toBe('unknown');
    expect(await liveness('bull:mail:17:lock')).toBe('unknown');
  });

  it(
    'are not seen a minute after it went: the host, the reader, the worker',
    async () => {
      const [stays, ...gone] = connections;
      for (const connection of gone) connection.disconnect();
      connections = stays ? [stays] : [];
      const host = await seenAs(
        at.console,
        HOST_LOCK,
        ({ hold }) => hold?.owner.liveness === 'not-seen',
        GONE_WITHIN_MS,
      );
      expect(host.hold?.owner.host).toBe('node-7');
      const { members } = await seenAs(at.console, 'shared:prices', (lock) =>
        lock.members.some(({ owner }) => owner?.liveness === 'not-seen'),
      );
      expect(members.map(({ id, owner }) => [id, owner?.liveness])).toEqual([
        [`${INSTANCE}:1`, 'seen'],
        [`${OTHER}:1`, 'not-seen'],
      ]);
      await seenAs(
        at.console,
        'bull:mail:17:lock',
        ({ hold }) => hold?.owner.liveness === 'not-seen',
      );
      expect(await liveness('lock:anybody')).toBe('unknown');
    },
    GONE_WITHIN_MS + 120_000,
  );

  it('and whose leases are renewed all the same are renewed by nobody', async () => {
    const alert = await firing(at.console, 'zombie-renewal', HOST_LOCK);
    expect(alert).toMatchObject({ evidence: 'inferred', severity: 'warning' });
    expect(alert.summary).toMatch(/^renewed \d+× although no connection of .* has been seen/);
    const { hold } = await seenAs(at.console, HOST_LOCK, (lock) => lock.hold !== null);
    expect(hold?.renewals).toBeGreaterThan(5);
    expect(hold?.lastRenewalAt).toBeGreaterThan(Date.now() - 20_000);
  });
});
