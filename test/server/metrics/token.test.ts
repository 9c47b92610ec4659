import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGate } from '@/server/gate';
import { startLoadedConsole, type LoadedConsole } from './console-under-load';

const METRICS = 'metrics-token-of-at-least-32-characters';
const ADMIN = 'the-admin-token-of-at-least-32-characters';

let at: LoadedConsole;
let server: Server;
let url: string;

beforeAll(async () => {
  at = await startLoadedConsole({
    LOCKSCOPE_METRICS_TOKEN: METRICS,
    LOCKSCOPE_ADMIN_TOKEN: ADMIN,
  });
  const gate = createGate(at.runtime.handle, async (request, response) => {
    response.end(`behind the gate: ${request.url}`);
  });
  server = createServer((request, response) => void gate(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  server?.close();
  server?.closeAllConnections();
  await at?.stop();
});

async function statusOf(path: string, token: string, method = 'GET'): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}${path}`, { method, headers, redirect: 'manual' })).status;
}

describe('the metrics token', () => {
  it('reads the metrics, as the admin token does', async () => {
    for (const token of [METRICS, ADMIN]) {
      expect(await statusOf('/metrics', token)).toBe(200);
      expect(await statusOf('/metrics?x=1', token, 'HEAD')).toBe(200);
    }
    expect(await statusOf('/metrics', `${METRICS}x`)).toBe(401);
  });

  it.each([
    ['GET', '/api/v1/locks'],
    ['GET', '/api/v1/audit'],
    ['GET', '/api/v1/metrics'],
    ['GET', '/api/v1/users'],
    ['POST', '/metrics'],
    ['DELETE', '/metrics'],
    ['POST', '/api/v1/locks/release-many'],
    ['GET', '/api/v1/../../metrics/../api/v1/locks'],
  ])('is refused for %s %s', async (method, path) => {
    expect(await statusOf(path, METRICS, method)).toBe(401);
  });

  it.each(['/', '/locks', '/metrics/', '/metrics/x', '//metrics', '/Metrics', '/%6detrics'])(
    'is sent to sign in at %s',
    async (path) => {
      expect(await statusOf(path, METRICS)).toBe(307);
    },
  );

  it('makes nobody known', async () => {
    const headers = new Headers({ authorization: `Bearer ${METRICS}` });
    expect(await at.runtime.handle.actorOf(headers)).toBeNull();
    expect(await at.runtime.handle.mayReadMetrics(headers)).toBe(true);
  });

  it('is asked for: without any token the metrics are closed', async () => {
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const { handle } = at.runtime;
    expect(await handle.mayReadMetrics(new Headers())).toBe(false);
    expect(await handle.mayReadMetrics(new Headers({ authorization: 'Bearer ' }))).toBe(false);
  });
});
