import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { io, type Socket } from 'socket.io-client';
import { applyPatch, type Patch } from '@/lib/live/patch';
import type { Frame } from '@/lib/protocol/events';
import type { Trace } from '@/lib/protocol/trace';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import {
  anActor,
  startServer,
  TARGET,
  type TestServer,
} from '@/test/server/queries/server-under-test';
import { serveSockets } from '@/test/server/socket/sockets-under-test';
import { until } from '@/test/support/until';
import { clientNamed, tracesOf } from './trace-under-test';

let server: TestServer;
const traces = tracesOf(() => server);
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => traces.stopAll());

describe('a trace', () => {
  it('counts ten failed attempts of one client on a lock that somebody holds', async () => {
    await server.client.set('lock:a', 'tok1', 'PX', 60_000, 'NX');
    const before = await server.lock('lock:a');
    expect(before.waiting).toMatchObject({ evidence: 'unknown', count: null });
    expect(before.sampled).toBeUndefined();
    const id = await traces.start();
    const poller = await clientNamed(server, 'poller');
    for (let i = 0; i < 10; i++) {
      expect(await poller.set('lock:a', 'tok2', 'PX', 60_000, 'NX')).toBeNull();
    }
    const row = await traces.lock(id, 'lock:a', ({ failed }) => failed === 10);
    expect(row).toMatchObject({
      ...{ db: 0, attempts: 10, failed: 10, clientCount: 1, storm: false, evidence: 'observed' },
      clients: [{ attempts: 10, failed: 10 }],
    });
    await traces.stop(id);
    const lock = await server.lock('lock:a');
    expect(lock.sampled).toMatchObject({
      ...{ attempts: 10, failed: 10, clients: 1, evidence: 'observed' },
    });
    expect(lock.sampled?.to).toBeGreaterThan(lock.sampled?.from ?? Infinity);
    expect(lock.waiting.count).toBeNull();
    expect([lock.acquisitions, lock.hold?.owner.id]).toEqual([1, 'tok1']);
  });

  it('names clients, and leaves out what the console itself does', async () => {
    await server.client.set('lock:named', 'tok', 'PX', 60_000, 'NX');
    await server.lock('lock:named');
    const id = await traces.start();
    const cart = await clientNamed(server, 'cart-7');
    await cart.set('lock:named', 'x', 'PX', 5, 'NX');
    await server.context.watch.readNow({ db: 0, key: 'lock:named' });
    const seen = await until('the client is named', async () => {
      const now = await traces.get(id);
      return now.clients.some(({ name }) => name === 'cart-7') ? now : null;
    });
    expect(seen.clients).toMatchObject([{ name: 'cart-7', failed: 1, keys: 1, hot: false }]);
    expect(seen.keys).toMatchObject([{ key: 'lock:named', looks: 0, attempts: 1 }]);
  });

  it('ends when its time is over, and is remembered with its cost', async () => {
    const id = await traces.start(4);
    await server.client.set('lock:timed', 'tok', 'PX', 60_000, 'NX');
    const ended = await traces.ended(id);
    expect(ended).toMatchObject({
      state: 'done',
      stoppedBecause: null,
      actor: 'admin@example.org',
    });
    expect((ended.endedAt ?? 0) - ended.startedAt).toBeGreaterThanOrEqual(4000);
    expect(ended.cost).toMatchObject({
      pingMs: expect.any(Number),
      pingBaselineMs: expect.any(Number),
      redisCpuShare: expect.any(Number),
      outputBufferBytes: expect.any(Number),
    });
    expect(ended.cost.loopLagMs).toBeGreaterThanOrEqual(0);
    expect(ended.commands).toBeGreaterThan(0);
    expect((await traces.list())[0]).toMatchObject({ id, state: 'done', attempts: 1 });
    const monitors = String(await server.client.call('CLIENT', 'LIST'));
    expect(monitors).not.toContain('cmd=monitor');
  });

  it('is the only one of its target: another is told which runs', async () => {
    const input = { target: TARGET, seconds: 30 };
    const both = await Promise.allSettled([
      runAction(server.as('admin'), 'trace.start', input),
      runAction(server.as('admin'), 'trace.start', input),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [first] = await traces.list();
    await expect(runAction(server.as('admin'), 'trace.start', input)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { running: first?.id, actor: 'admin@example.org' },
    });
  });

  it('is ended by an administrator, once', async () => {
    const id = await traces.start();
    await expect(traces.stop(id)).resolves.toMatchObject({
      ...{ id, state: 'stopped', stoppedBecause: 'asked', stoppedBy: 'admin@example.org' },
    });
    await expect(traces.stop(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(traces.stop('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(traces.get('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([0, 31, 1.5, '5'])('does not last %j seconds', async (seconds) => {
    const started = runAction(server.as('admin'), 'trace.start', { target: TARGET, seconds });
    await expect(started).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'seconds' },
    });
  });

  it('is of a target that is watched', async () => {
    const started = runAction(server.as('admin'), 'trace.start', { target: 'other', seconds: 1 });
    await expect(started).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('who may trace', () => {
  it.each(['viewer', 'operator'] as const)('is not a %s, which is audited', async (role) => {
    const input = { target: TARGET, seconds: 1 };
    const refused = runAction(server.as(role), 'trace.start', input);
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { items } = await server.context.store.audit({ actor: `${role}@example.org`, limit: 5 });
    expect(items).toMatchObject([
      { action: 'trace.start', outcome: 'refused', code: 'FORBIDDEN', target: TARGET },
    ]);
    for (const [query, params] of [['traces', {}] as const, ['trace', { id: 'x' }] as const]) {
      await expect(runQuery(server.as(role), query, params)).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    }
  });

  it('is not an administrator of some namespaces only: a trace tells of all', async () => {
    const limited = server.as('admin', { namespaces: ['order'] });
    const input = { target: TARGET, seconds: 1 };
    await expect(runAction(limited, 'trace.start', input)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('has the start and the end of each trace in the audit', async () => {
    const id = await traces.start(30, 'cart is slow');
    await traces.stop(id);
    const { items } = await server.context.store.audit({ limit: 4 });
    expect(items.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      ...['trace.stop done', 'trace.stop requested', 'trace.start done', 'trace.start requested'],
    ]);
    expect(items[2]).toMatchObject({ reason: 'cart is slow', after: { id, seconds: 30 } });
  });
});

describe('over the socket', () => {
  it('a trace is live while it runs', async () => {
    const sockets = await serveSockets(server);
    sockets.actors.set('admin', anActor('admin'));
    const socket: Socket = io(sockets.url, {
      ...{ transports: ['websocket'], reconnection: false, auth: { token: 'admin' } },
    });
    try {
      const action = { action: 'trace.start', input: { target: TARGET, seconds: 30 } };
      const started = await socket.emitWithAck('action:run', action);
      const { id } = started.value;
      const opened = await socket.emitWithAck('query:open', { query: 'trace', params: { id } });
      let { data } = opened.value;
      socket.on('query:frame', (frame: Frame) => (data = applyPatch(data, frame.patch as Patch)));
      await server.client.set('lock:live', 'tok', 'PX', 60_000, 'NX');
      await server.client.set('lock:live', 'other', 'PX', 60_000, 'NX');
      await until('the failure is in the frames', () => (data as Trace).failed === 1);
      await socket.emitWithAck('action:run', { action: 'trace.stop', input: { id } });
      await until('the end is in the frames', () => (data as Trace).state === 'stopped');
      expect(data).toEqual(JSON.parse(JSON.stringify(await traces.get(id))));
    } finally {
      socket.disconnect();
      await sockets.close();
    }
  });
});

describe('many failed attempts', () => {
  it('raise a retry storm and a hot client, which name the sample', async () => {
    await server.client.set('lock:hot', 'tok', 'PX', 60_000, 'NX');
    await server.lock('lock:hot');
    const id = await traces.start();
    const loop = await clientNamed(server, 'loop');
    const attempts = Array.from({ length: 400 }, () =>
      loop.set('lock:hot', 'x', 'PX', 60_000, 'NX'),
    );
    await Promise.all(attempts);
    const row = await traces.lock(id, 'lock:hot', ({ failed }) => failed === 400);
    expect(row.storm).toBe(true);
    const raised = await until('both alerts', () => {
      const codes = ['retry-storm', 'hot-client'];
      const open = server.context.alerts.open().filter(({ code }) => codes.includes(code));
      return open.length === 2 ? open : null;
    });
    for (const alert of raised) expect(alert.summary).toMatch(/sampled from .* to /);
    expect(raised.find(({ code }) => code === 'retry-storm')?.subject.label).toBe('lock:hot');
    expect(raised.find(({ code }) => code === 'hot-client')?.subject.label).toContain('127.0.0.1:');
    expect((await traces.get(id)).hotClients).toBe(1);
  });
});
