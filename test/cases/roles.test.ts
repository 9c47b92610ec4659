import { beforeAll, describe, expect, it } from 'vitest';
import { io, type Socket } from 'socket.io-client';
import type { Role } from '@/lib/protocol/actions';
import type { LockDetail } from '@/lib/protocol/lock';
import { ADMIN_TOKEN } from '@/test/support/console';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const METRICS_TOKEN = 'test-metrics-token-of-at-least-32-characters';
const at = watchedRedis({ env: { LOCKSCOPE_METRICS_TOKEN: METRICS_TOKEN } });
const ROLES: Role[] = ['viewer', 'operator', 'admin'];
const passwordOf = (role: Role): string => `password-of-${role}`;

/** Another address for each of the first sign-ins would hide the limit; so they wait their turn. */
async function signIn(role: Role): Promise<string> {
  const response = await until(`${role} is signed in`, async () => {
    const answer = await trySignIn(role, passwordOf(role));
    return answer.status === 429 ? undefined : answer;
  });
  expect(response.status).toBe(200);
  return cookieOf(response);
}

const trySignIn = (role: Role, password: string, headers: Record<string, string> = {}) =>
  fetch(`${at.console.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: at.console.url, ...headers },
    body: JSON.stringify({ email: `${role}@example.org`, password }),
  });

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const cookies = new Map<Role, string>();
let lock: LockDetail;
let path: string;

beforeAll(async () => {
  for (const role of ROLES) {
    const body = { email: `${role}@example.org`, name: role, role, password: passwordOf(role) };
    await at.console.request('POST', '/api/v1/users', { body });
    cookies.set(role, await signIn(role));
  }
  await at.client.set('lock:roles', 'A', 'PX', 600_000);
  lock = await at.console.heldBy('lock:roles', 'A');
  path = `/api/v1/locks/${encodeURIComponent(lock.target)}/0/${lock.keyB64}`;
});

/** As a browser of that role on the console's own pages; `headers` say otherwise. */
async function as(
  role: Role,
  method: string,
  url: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<number> {
  const cookie = cookies.get(role) ?? '';
  const headers = { cookie, ...(options.headers ?? { origin: at.console.url }) };
  return (await at.console.request(method, url, { ...options, token: null, headers })).status;
}

const stale = { version: '1.old', reason: 'who may' };
const silent = { reason: 'who may' };

const ELSEWHERE = { target: 'elsewhere', pattern: 'order:*', reason: 'who may' };

/** What each role is answered: viewer, operator, admin. */
const MAY: [method: string, url: string, body: unknown, statuses: [number, number, number]][] = [
  ['GET', '/api/v1/locks', undefined, [200, 200, 200]],
  ['GET', '/api/v1/audit', undefined, [200, 200, 200]],
  ['GET', '/api/v1/session', undefined, [200, 200, 200]],
  ['GET', '/metrics', undefined, [200, 200, 200]],
  ['GET', '/api/v1/users', undefined, [403, 403, 200]],
  ['GET', '/api/v1/libraries', undefined, [200, 200, 200]],
  ['GET', '/api/v1/pins', undefined, [200, 200, 200]],
  ['POST', '/api/v1/pins', { ...ELSEWHERE, format: 'redlock' }, [403, 404, 404]],
  ['DELETE', '/api/v1/pins', ELSEWHERE, [403, 404, 404]],
  ['POST', '/api/v1/discoveries', { target: 'elsewhere' }, [403, 404, 404]],
  ['POST', '/api/v1/discoveries/none/stop', undefined, [403, 404, 404]],
  ['POST', 'release', stale, [403, 409, 409]],
  ['POST', 'drop-waiter', { owner: 'x', reason: 'who may' }, [403, 409, 409]],
  ['POST', 'wake', { reason: 'who may' }, [403, 409, 409]],
  ['POST', 'remove-member', { ...stale, member: 'x' }, [403, 409, 409]],
  ['POST', '/api/v1/locks/release-preview', { filter: {} }, [403, 200, 200]],
  ['POST', '/api/v1/alerts/none/acknowledge', silent, [403, 404, 404]],
  ['POST', '/api/v1/alerts/none/silence', silent, [403, 404, 404]],
  ['POST', '/api/v1/alerts/acknowledge-many', { ids: ['none'], ...silent }, [403, 200, 200]],
  ['DELETE', '/api/v1/silences/none', silent, [403, 404, 404]],
  ['POST', '/api/v1/silences', { matcher: {}, untilMs: 1, ...silent }, [403, 422, 422]],
  ['POST', '/api/v1/orders/none/intend', silent, [403, 404, 404]],
  ['POST', '/api/v1/orders/none/unintend', silent, [403, 404, 404]],
  ['DELETE', '/api/v1/rules', { code: 'deadlock', ...silent }, [403, 403, 404]],
  ['DELETE', '/api/v1/notify/channels/none', silent, [403, 403, 404]],
  ['POST', '/api/v1/notify/channels/none/test', {}, [403, 403, 404]],
  ['POST', '/api/v1/notify/routes', { routes: [], ...silent }, [403, 403, 200]],
  ['GET', '/api/v1/traces', undefined, [403, 403, 200]],
  ['GET', '/api/v1/traces/none', undefined, [403, 403, 404]],
  ['POST', '/api/v1/traces', { target: 'none', seconds: 1 }, [403, 403, 404]],
  ['POST', '/api/v1/traces/none/stop', {}, [403, 403, 404]],
];

describe('each role', () => {
  it.each(MAY)('may do what it should: %s %s', async (method, url, body, statuses) => {
    const whole = url.startsWith('/') ? url : `${path}/${url}`;
    for (const [i, role] of ROLES.entries()) {
      const status = await as(role, method, whole, { body });
      expect({ role, status }).toEqual({ role, status: statuses[i] });
    }
  });

  it.each(MAY)('is not had by the metrics token, but for reading them: %s %s', async (...row) => {
    const [method, url, body] = row;
    const whole = url.startsWith('/') ? url : `${path}/${url}`;
    const { status } = await at.console.request(method, whole, { body, token: METRICS_TOKEN });
    expect(status).toBe(url === '/metrics' ? 200 : 401);
  });

  it('makes users only as admin, and a refusal of an act is in the audit', async () => {
    for (const role of ROLES) {
      const body = {
        email: `by-${role}@example.org`,
        name: 'x',
        role: 'viewer',
        password: '1234567890',
      };
      const status = await as(role, 'POST', '/api/v1/users', { body });
      expect({ role, status }).toEqual({ role, status: role === 'admin' ? 201 : 403 });
    }
    const { items } = await at.console.query('audit', { actor: 'viewer@example.org' });
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'lock.release', outcome: 'refused', code: 'FORBIDDEN' }),
    );
  });

  it('changes its own password only by the present one, audited before and after', async () => {
    const url = '/api/auth/change-password';
    const wrong = { currentPassword: 'not-the-password', newPassword: 'the-next-password' };
    expect(await as('operator', 'POST', url, { body: wrong })).toBe(400);
    const right = { ...wrong, currentPassword: passwordOf('operator') };
    expect(await as('operator', 'POST', url, { body: right })).toBe(200);
    const { items } = await at.console.query('audit', { actor: 'operator@example.org' });
    const changes = items.filter(({ action }) => action === 'user.change-password');
    expect(changes.map(({ outcome }) => outcome)).toEqual([
      ...['done', 'requested'],
      ...['refused', 'requested'],
    ]);
    expect(JSON.stringify(changes)).not.toContain('the-next-password');
  });

  it('is told that a password is set already', async () => {
    const body = { newPassword: 'another-password' };
    expect(await as('viewer', 'POST', '/api/v1/account/password', { body })).toBe(409);
  });
});

describe('another site', () => {
  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{}],
  ])('cannot act with the cookie of somebody signed in (%j)', async (headers) => {
    const body = { version: lock.hold?.version, reason: 'forged' };
    expect(await as('admin', 'POST', `${path}/release`, { body, headers })).toBe(403);
    expect(await at.client.get('lock:roles')).toBe('A');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'x'])(
    'is not where a sign-in link leads (%j)',
    async (callbackURL) => {
      for (const name of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
        const query = new URLSearchParams({ token: 'x'.repeat(32), [name]: callbackURL });
        const url = `/api/auth/magic-link/verify?${query}`;
        expect((await at.console.request('GET', url, { token: null })).status).toBe(422);
      }
    },
  );

  it('cannot sign a browser in, while a program without cookies can', async () => {
    const evil = await trySignIn('viewer', passwordOf('viewer'), {
      origin: 'https://evil.example',
    });
    expect(evil.status).toBe(403);
    const program = await until('the limit is over', async () => {
      const answer = await fetch(`${at.console.url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'viewer@example.org', password: passwordOf('viewer') }),
      });
      return answer.status === 429 ? undefined : answer;
    });
    expect(program.status).toBe(200);
  });
});

function connect(options: Parameters<typeof io>[1]): Promise<Socket> {
  const socket = io(at.console.url, {
    ...{ reconnection: false, forceNew: true, transports: ['websocket'] },
    ...options,
  });
  return new Promise((resolve, reject) => {
    socket.on('connect', () => resolve(socket));
    socket.on('connect_error', (error: Error & { data?: unknown }) => reject(error.data ?? error));
  });
}

const ofRole = (role: Role) => ({
  extraHeaders: { cookie: cookies.get(role) ?? '', origin: at.console.url },
});

const ask = (socket: Socket, event: string, request: unknown): Promise<unknown> =>
  socket.timeout(60_000).emitWithAck(event, request);

describe('over the live connection', () => {
  it.each([
    ['UNAUTHENTICATED', {}],
    ['UNAUTHENTICATED', { auth: { token: 'not-the-token-of-32-characters-at-all' } }],
    ['UNAUTHENTICATED', { auth: { token: METRICS_TOKEN } }],
  ])('%s is what a stranger is told', async (code, options) => {
    await expect(connect(options)).rejects.toMatchObject({ error: { code } });
  });

  it('another site is refused', async () => {
    const { cookie } = ofRole('admin').extraHeaders;
    const evil = connect({ extraHeaders: { cookie, origin: 'https://evil.example' } });
    await expect(evil).rejects.toMatchObject({ error: { code: 'FORBIDDEN' } });
  });

  it('a viewer reads and does not act, and an operator acts', async () => {
    const { target, db, keyB64 } = lock;
    const release = { action: 'lock.release', input: { target, db, keyB64, ...stale } };
    const viewer = await connect(ofRole('viewer'));
    const opened = { query: 'locks', params: {} };
    expect(await ask(viewer, 'query:open', opened)).toMatchObject({ ok: true });
    expect(await ask(viewer, 'action:run', release)).toMatchObject({
      ok: false,
      error: { code: 'FORBIDDEN' },
    });
    viewer.disconnect();
    const operator = await connect(ofRole('operator'));
    expect(await ask(operator, 'action:run', release)).toMatchObject({
      ok: false,
      error: { code: 'CONFLICT', details: { holder: 'A' } },
    });
    operator.disconnect();
  });

  it('every query is open to the bearer token', async () => {
    const socket = await connect({ auth: { token: ADMIN_TOKEN } });
    for (const query of [
      'overview',
      'holds',
      'classes',
      'heatmap',
      'waits',
      'deadlocks',
      'alerts',
    ]) {
      expect(await ask(socket, 'query:open', { query, params: {} })).toMatchObject({ ok: true });
    }
    socket.disconnect();
  });

  it('ends soon after its session', async () => {
    const socket = await connect(ofRole('viewer'));
    let isCut = false;
    socket.on('disconnect', () => (isCut = true));
    expect(await as('viewer', 'POST', '/api/auth/sign-out', { body: {} })).toBe(200);
    expect(await as('viewer', 'GET', '/api/v1/locks')).toBe(401);
    await until('the connection is cut', () => isCut);
  });
});

describe('guessing a password', () => {
  it('is stopped after a few tries, from wherever they claim to come, and audited', async () => {
    const guess = async (n: number): Promise<number> => {
      const headers = { 'x-lockscope-client-ip': `9.9.9.${n}`, 'x-forwarded-for': `8.8.8.${n}` };
      const answer = await trySignIn('admin', `guess-${n}-guess`, headers);
      expect(await answer.json()).toMatchObject({
        error: { code: answer.status === 429 ? 'TOO_MANY' : 'UNAUTHENTICATED' },
      });
      return answer.status;
    };
    // At once: one after the other they might be so slow that each may be tried.
    const statuses = await Promise.all(Array.from({ length: 6 }, (_, n) => guess(n)));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
    expect(await guess(6)).toBe(429);
    const { items } = await at.console.query('audit', { actor: 'admin@example.org' });
    expect(items[0]).toMatchObject({ action: 'session.sign-in', outcome: 'refused' });
  });
});
