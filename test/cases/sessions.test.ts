import { io, type Socket } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '@/lib/protocol/bytes';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();
const PASSWORD = 'password-1234';

async function post(path: string, body: unknown, cookie?: string): Promise<Response> {
  return await fetch(`${at.console.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: at.console.url,
      ...(cookie ? { cookie } : {}),
    },
    body: JSON.stringify(body),
  });
}

/** An operator's session, as the cookie of a browser. */
async function signedIn(email: string): Promise<string> {
  const body = { email, name: 'Operator', role: 'operator', password: PASSWORD };
  await at.console.request('POST', '/api/v1/users', { body });
  const answer = await post('/api/auth/sign-in/email', { email, password: PASSWORD });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function connected(cookie: string): Promise<Socket> {
  const socket = io(at.console.url, {
    ...{ transports: ['websocket'], reconnection: false, forceNew: true },
    extraHeaders: { cookie, origin: at.console.url },
  });
  await until('connected', () => socket.connected);
  return socket;
}

describe('a session that is signed out', () => {
  it('releases nothing any more over the connection that it had', async () => {
    const cookie = await signedIn('leaves@example.org');
    const socket = await connected(cookie);
    await at.client.set('lock:signed-out', 'A', 'PX', 60_000);
    const { hold, target } = await at.console.heldBy('lock:signed-out', 'A');
    const input = { target, db: 0, keyB64: toBase64Url('lock:signed-out'), reason: 'too late' };
    expect((await post('/api/auth/sign-out', {}, cookie)).status).toBe(200);
    const answer = await socket.emitWithAck('action:run', {
      action: 'lock.release',
      input: { ...input, version: hold?.version },
    });
    expect(answer).toMatchObject({ ok: false, error: { code: 'UNAUTHENTICATED' } });
    expect(await at.client.get('lock:signed-out')).toBe('A');
    await until('cut off', () => socket.disconnected);
  });
});
