import { describe, expect, it } from 'vitest';
import type { Discovery, Pin } from '@/lib/protocol/libraries';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();

const reason = 'it is ours';
const target = async (): Promise<string> => (await at.console.query('targets'))[0]?.id ?? '';

describe('a pinned pattern', () => {
  it('makes locks of keys that were there, counts after a restart, and can be taken away', async () => {
    await at.client.set('cold:1', 'whatever', 'PX', 600_000);
    const pin = { target: await target(), pattern: 'cold:*', format: 'redis-py', reason };
    expect(await at.console.request('POST', '/api/v1/pins', { body: pin })).toMatchObject({
      status: 200,
      body: { outcome: 'pinned', pin: { pattern: 'cold:*', format: 'redis-py' } },
    });
    expect(await at.console.heldBy('cold:1', 'whatever')).toMatchObject({ format: 'redis-py' });
    await at.console.terminate();
    await at.console.restart();
    expect(await at.console.get<Pin[]>('/pins')).toMatchObject([{ pattern: 'cold:*', reason }]);
    await at.client.set('cold:2', 'later', 'PX', 600_000);
    expect(await at.console.heldBy('cold:2', 'later')).toMatchObject({ format: 'redis-py' });

    const unpin = { target: await target(), pattern: 'cold:*', reason };
    expect(await at.console.request('DELETE', '/api/v1/pins', { body: unpin })).toMatchObject({
      status: 200,
      body: { outcome: 'unpinned' },
    });
    expect(await at.console.get<Pin[]>('/pins')).toEqual([]);
    expect((await at.console.request('DELETE', '/api/v1/pins', { body: unpin })).status).toBe(404);
    await at.client.set('cold:3', 'unseen', 'PX', 600_000);
    await at.client.set('lock:mark', 'seen', 'PX', 600_000);
    await at.console.heldBy('lock:mark', 'seen');
    expect(await at.console.lock('cold:3')).toBeUndefined();
    const { items } = await at.console.query('audit');
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['format.pin', 'format.unpin']),
    );
  });

  it.each([
    ['everything', { pattern: '*' }, 422, 'pattern'],
    ['a library that there is not', { format: 'none' }, 422, 'format'],
    ['no reason', { reason: '' }, 422, 'reason'],
  ])('is refused for %s', async (_, wrong, status, field) => {
    const body = { target: await target(), pattern: 'a:*', format: 'redlock', reason, ...wrong };
    expect(await at.console.request('POST', '/api/v1/pins', { body })).toMatchObject({
      status,
      body: { error: { code: 'INVALID_INPUT', details: { field } } },
    });
  });
});

describe('a run that looks for locks', () => {
  it('is begun, watched and stopped by its id, and shows no value', async () => {
    const value = 'ADDED:2026-11-30T06:00:00.123Z@node-7:0b7e2c9e';
    await at.client.set('nightly/17', value, 'PX', 600_000);
    const begun = await at.console.request<{ id: string }>('POST', '/api/v1/discoveries', {
      body: { target: await target(), db: 0, maxKeys: 5_000, seconds: 10 },
    });
    expect(begun.status).toBe(202);
    const run = await until('it has ended', async () => {
      const found = await at.console.get<Discovery>(`/discoveries/${begun.body.id}`);
      return found.state === 'running' ? null : found;
    });
    expect(run).toMatchObject({ state: 'done', dbs: [0], maxKeys: 5_000, seconds: 10 });
    expect(run.proposals).toContainEqual(
      expect.objectContaining({ pattern: 'nightly/*', sure: 'certain', examples: ['nightly/17'] }),
    );
    expect(JSON.stringify(run)).not.toContain(value);
    const stop = `/api/v1/discoveries/${begun.body.id}/stop`;
    expect(await at.console.request('POST', stop)).toMatchObject({
      status: 200,
      body: { id: begun.body.id, state: 'done' },
    });
    expect((await at.console.request('GET', '/api/v1/discoveries/none')).status).toBe(404);
    expect((await at.console.query('libraries')).discoveries).toMatchObject([{ state: 'done' }]);
  });
});
