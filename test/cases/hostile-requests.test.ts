import { describe, expect, it } from 'vitest';
import { toBase64Url } from '@/lib/protocol/bytes';
import type { AuditPage } from '@/lib/protocol/audit';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();

const target = async (): Promise<string> => {
  const [only] = await at.console.query('targets');
  return encodeURIComponent(only?.id ?? '');
};

describe('a request that nobody should have to send', () => {
  it.each([0, 1_600_000_000_000])('for all history since %d is answered', async (from) => {
    for (const query of ['waits', 'classes', 'heatmap'] as const) {
      const answer = await at.console.request('GET', `/api/v1/${query}?from=${from}`);
      expect(answer.status).toBe(200);
      if (query !== 'heatmap') {
        const { from: covered, to } = answer.body as { from: number; to: number };
        expect(to - covered).toBeLessThan(3_600_000);
      }
    }
  });

  it.each([
    ['GET', '/api/v1/locks/x%25E0%25A4%25A/0/aa', 404],
    ['GET', '/api/v1/locks/x%E0%A4%A/0/aa', 422],
    ['POST', '/api/v1/alerts/%25E0%25A4%25A/acknowledge', 404],
    ['POST', '/api/v1/alerts/%E0%A4%A/acknowledge', 422],
  ])('with a path that is badly encoded is refused (%s %s)', async (method, path, status) => {
    const body = method === 'POST' ? { body: { reason: 'seen it' } } : {};
    const answer = await at.console.request(method, path, body);
    expect(answer).toMatchObject({ status, body: { error: { message: expect.any(String) } } });
  });

  it('reads a segment of a path once', async () => {
    const path = `/api/v1/locks/${encodeURIComponent('a%41')}/0/aa`;
    expect(await at.console.request('GET', path)).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining('a%41') } },
    });
  });

  it.each(['/locks/x/0/%E0%A4%A', '/%E0', '/locks/x%25E0%25A4%25A/0/aa'])(
    'for a page of such an address shows a page (%s)',
    async (path) => {
      const answer = await at.console.request<string>('GET', path);
      expect([200, 404]).toContain(answer.status);
      expect(answer.body).toContain('<html');
    },
  );

  it('for a lock of a db that is not watched says so', async () => {
    const lock = `/api/v1/locks/${await target()}/7/${toBase64Url('lock:a')}`;
    const error = { code: 'NOT_FOUND', message: expect.stringContaining('LOCKSCOPE_DBS=0,7') };
    expect(await at.console.request('GET', lock)).toMatchObject({ status: 404, body: { error } });
    const body = { version: '1:a', reason: 'stuck' };
    expect(await at.console.request('POST', `${lock}/release`, { body })).toMatchObject({
      status: 404,
      body: { error },
    });
  });
});

describe('a reason', () => {
  it('of characters that nobody sees is none', async () => {
    await at.client.set('lock:unseen', 'A', 'PX', 60_000);
    const { hold } = await at.console.heldBy('lock:unseen', 'A');
    const reason = '\u200b\u200b\u200b';
    const answer = await at.console.release('lock:unseen', { version: hold?.version, reason });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'INVALID_INPUT' } } });
    expect(await at.client.get('lock:unseen')).toBe('A');
  });

  it('cannot turn round what stands beside it in the audit', async () => {
    await at.client.set('lock:turned', 'A', 'PX', 60_000);
    const { hold } = await at.console.heldBy('lock:turned', 'A');
    const reason = 'stuck \u202ednetni\nsecond C:\\line';
    const answer = await at.console.release('lock:turned', { version: hold?.version, reason });
    expect(answer.status).toBe(200);
    const { items } = await at.console.get<AuditPage>('/audit?key=lock%3Aturned');
    expect(items.map((entry) => entry.reason)).toEqual([
      'stuck \\xe2\\x80\\xaednetni second C:\\line',
      'stuck \\xe2\\x80\\xaednetni second C:\\line',
    ]);
  });
});
