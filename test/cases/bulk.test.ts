import { describe, expect, it } from 'vitest';
import type { Lock } from '@/lib/protocol/lock';
import { bytesFromText, printable, toBase64Url } from '@/lib/protocol/bytes';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const LEASE_MS = 600_000;

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: '*' } });

interface Preview {
  items: Lock[];
  total: number;
}

/** What a release of all that the filter selects would be asked to do, once it is `count` locks. */
const preview = async (filter: object, count: number): Promise<Lock[]> =>
  await until(`${count} locks`, async () => {
    const path = '/api/v1/locks/release-preview';
    const answer = await at.console.request<Preview>('POST', path, { body: { filter } });
    expect(answer.status).toBe(200);
    const { items } = answer.body;
    return items.length === count && items.every(({ hold }) => hold?.owner.id) ? items : undefined;
  });

const releaseAll = async (items: object[]): Promise<{ outcome: string; code: string | null }[]> => {
  const path = '/api/v1/locks/release-many';
  const body = { items, reason: 'left over' };
  const answer = await at.console.request<{ results: { outcome: string; code: string | null }[] }>(
    'POST',
    path,
    { body },
  );
  expect(answer.status).toBe(200);
  return answer.body.results;
};

const itemOf = ({ target, db, keyB64, hold }: Lock) => ({
  target,
  db,
  keyB64,
  version: hold?.version,
});

describe('what one queue has left behind', () => {
  it('is found by one filter', async () => {
    const token = 'Ab3dEf6hIj9lMn2p';
    for (const id of [17, 18, 19]) {
      await at.client.set(`laravel_unique_job:App\\Jobs\\SendMail:${id}`, token, 'PX', LEASE_MS);
    }
    await at.client.set('laravel_unique_job:App\\Jobs\\Export:17', token, 'PX', LEASE_MS);
    const className = await until('its class is known', async () => {
      const { items } = await at.console.query('locks', { q: 'SendMail:17' });
      return items[0]?.class;
    });
    const keysIn = async () =>
      (await at.console.query('locks', { class: className })).items.map(({ key }) => key);
    await until('all three are there', async () => (await keysIn()).length === 3);
    expect(await keysIn()).toEqual(
      [17, 18, 19].map((id) => printable(`laravel_unique_job:App\\Jobs\\SendMail:${id}`)),
    );
    const row = await until('its class has all three', async () => {
      const { items } = await at.console.query('classes');
      return items.find((one) => one.class === className && one.held === 3);
    });
    expect(row.locks).toBe(3);
  });
});

describe('a release of many', () => {
  it('shows exactly the list, takes no key that is no lock, and leaves the rest of the cache', async () => {
    const token = 'Zb3dEf6hIj9lMn2p';
    const hashes = ['0f', '1f', '2f'].map((two) => two.repeat(20));
    const keys = hashes.map((hash) => `framework/schedule-${hash}`);
    for (const key of keys) await at.client.set(key, token, 'PX', LEASE_MS);
    await at.client.rpush('framework/schedule-runs', 'a', 'b');
    await at.client.hset('framework/schedule-stats', 'runs', 3);
    const items = await preview({ q: 'framework/schedule' }, 3);
    expect(items.map(({ key }) => key).sort()).toEqual(keys);
    const [first] = items;
    const data = {
      target: first?.target,
      db: 0,
      keyB64: toBase64Url(bytesFromText('framework/schedule-runs')),
      version: '1.x',
    };
    const results = await releaseAll([...items.map(itemOf), data]);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'released',
      'released',
      'released',
      'refused',
    ]);
    expect((await at.client.keys('framework/*')).sort()).toEqual([
      'framework/schedule-runs',
      'framework/schedule-stats',
    ]);
  });

  it('of one node takes what that node holds, and leaves what others hold', async () => {
    const value = (host: string, n: number) =>
      `ADDED:2026-01-01T00:00:00.000Z@${host}:00000000-0000-4000-8000-00000000000${n}`;
    for (const [n, host] of ['node-1', 'node-1', 'node-2'].entries()) {
      await at.client.set(`job-lock:default:job-${n}`, value(host, n), 'PX', LEASE_MS);
    }
    const items = await preview({ owner: 'node-1' }, 2);
    expect(items.map(({ key }) => key)).toEqual([
      'job-lock:default:job-0',
      'job-lock:default:job-1',
    ]);
    const results = await releaseAll(items.map(itemOf));
    expect(results.map(({ outcome }) => outcome)).toEqual(['released', 'released']);
    expect(await at.client.keys('job-lock:*')).toEqual(['job-lock:default:job-2']);
    await until('its holds are in the map', async () => {
      const map = await at.console.query('heatmap', { group: 'owner', metric: 'hold-share' });
      return map.rows.some(({ label }) => label.includes('node-1'));
    });
  });
});

describe('a lock that a node has taken and will not give back', () => {
  it('is released long before its lease ends', async () => {
    const value = 'ADDED:2026-01-01T00:00:00.000Z@node-9:00000000-0000-4000-8000-000000000009';
    await at.client.set('job-lock:default:early', value, 'PX', 3_600_000);
    const { hold } = await at.console.heldBy('job-lock:default:early', value);
    const answer = await at.console.release('job-lock:default:early', {
      version: hold?.version,
      reason: 'node-9 is gone',
    });
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'released', cameBack: false } });
    expect(await at.client.exists('job-lock:default:early')).toBe(0);
    const past = (await at.console.detail('job-lock:default:early'))?.holds[0];
    expect(past).toMatchObject({ endReason: 'force-released', endedBy: 'token:admin' });
  });
});
