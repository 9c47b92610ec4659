import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as getTrace } from '@/app/api/v1/traces/[id]/route';
import { POST as postStop } from '@/app/api/v1/traces/[id]/stop/route';
import { GET as getTraces, POST as postTrace } from '@/app/api/v1/traces/route';
import type { Role } from '@/lib/protocol/actions';
import { Trace, TracePage } from '@/lib/protocol/trace';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import { setRuntime, type RuntimeHandle } from '@/server/runtime-handle';
import {
  anActor,
  startServer,
  TARGET,
  type TestServer,
} from '@/test/server/queries/server-under-test';

const roleIn = (headers: Headers): Role | undefined =>
  (['viewer', 'operator', 'admin'] as const).find(
    (role) => headers.get('authorization') === `Bearer ${role}`,
  );

/** What the routes of traces ask of the server; nothing else may be asked. */
const handleOf = (server: TestServer): RuntimeHandle => {
  const handle: Pick<RuntimeHandle, 'actorOf' | 'query' | 'act'> = {
    actorOf: async (headers) => {
      const role = roleIn(headers);
      return role ? anActor(role) : null;
    },
    query: (name, params, actor) => runQuery({ ...server.context, actor }, name, params),
    act: (name, input, actor) => runAction({ ...server.context, actor }, name, input),
  };
  return handle as RuntimeHandle;
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  setRuntime(handleOf(server));
});
afterAll(() => server.stop());

function request(role: Role | null, body?: unknown): Request {
  const headers = new Headers(role ? { authorization: `Bearer ${role}` } : {});
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return new Request('http://localhost/api/v1/traces', { headers, ...sent });
}

const withId = (id: string) => ({ params: Promise.resolve({ id }) });

describe('traces over HTTP', () => {
  it('begin with 202 and an id, are read by it, and end', async () => {
    const started = await postTrace(request('admin', { target: TARGET, seconds: 30 }));
    expect(started.status).toBe(202);
    const { id } = await started.json();
    await server.client.set('lock:rest', 'a', 'NX');
    const trace = Trace.parse(await (await getTrace(request('admin'), withId(id))).json());
    expect(trace).toMatchObject({ id, target: TARGET, state: 'running', stoppedBecause: null });
    const second = await postTrace(request('admin', { target: TARGET, seconds: 1 }));
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({
      error: { code: 'CONFLICT', details: { running: id } },
    });
    expect((await postStop(request('admin', {}), withId(id))).status).toBe(200);
    const page = TracePage.parse(await (await getTraces(request('admin'))).json());
    expect(page.items).toMatchObject([{ id, state: 'stopped', stoppedBecause: 'asked' }]);
  });

  it.each([
    [null, 401],
    ['viewer', 403],
    ['operator', 403],
  ] as const)('answer %s with %i', async (role, status) => {
    const answers = [
      await postTrace(request(role, { target: TARGET, seconds: 1 })),
      await getTraces(request(role)),
      await getTrace(request(role), withId('x')),
      await postStop(request(role, {}), withId('x')),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
  });

  it.each([
    [{ target: TARGET }, 422],
    [{ target: TARGET, seconds: 31 }, 422],
    [{ target: TARGET, seconds: '5' }, 422],
    [{ target: 'elsewhere', seconds: 5 }, 404],
  ])('refuse %j with %i', async (body, status) => {
    expect((await postTrace(request('admin', body))).status).toBe(status);
  });

  it('that nobody knows are not found', async () => {
    const answer = await getTrace(request('admin'), withId('none'));
    expect(answer.status).toBe(404);
    expect(JSON.stringify(await answer.json())).toContain('gone when the console restarts');
  });
});
