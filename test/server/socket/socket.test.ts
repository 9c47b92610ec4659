import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyPatch, type Patch } from '@/lib/live/patch';
import type { Role } from '@/lib/protocol/actions';
import { unpackHeatCells } from '@/lib/protocol/heat-cells';
import type { Frame } from '@/lib/protocol/events';
import { runQuery } from '@/server/queries';
import {
  addressOf,
  anActor,
  startServer,
  type TestServer,
} from '@/test/server/queries/server-under-test';
import { serveSockets, type TestSockets } from './sockets-under-test';
import { until } from '@/test/support/until';

let server: TestServer;
let sockets: TestSockets;
let clients: Socket[] = [];

beforeAll(async () => {
  server = await startServer();
  sockets = await serveSockets(server);
});
afterAll(async () => {
  await sockets.close();
  await server.stop();
});
beforeEach(async () => {
  for (const role of ['viewer', 'operator', 'admin'] as const) {
    sockets.actors.set(role, anActor(role));
  }
  await freeAll();
  sockets.computed.length = 0;
});
afterEach(() => {
  for (const client of clients) client.disconnect();
  clients = [];
});

/** Until nothing of the test before is left to be noticed: that would be a change in the middle of the next one. */
async function freeAll(): Promise<void> {
  const held = () => [...server.context.table.all()].filter(({ hold }) => hold !== null);
  const keys = held().map(({ key }) => Buffer.from(key, 'latin1'));
  if (keys.length > 0) await server.client.del(...keys);
  await until('all is free', () => held().length === 0);
}

function dial(options: Parameters<typeof io>[1], url = sockets.url): Socket {
  const client = io(url, { transports: ['websocket'], reconnection: false, ...options });
  clients.push(client);
  return client;
}

async function connectAs(role: Role): Promise<Socket> {
  const client = dial({ auth: { token: role }, forceNew: true });
  await until('connected', () => client.connected);
  return client;
}

const refusalOf = (client: Socket): Promise<unknown> =>
  new Promise((resolve, reject) => {
    client.once('connect', () => reject(new Error('was let in')));
    client.once('connect_error', (error) => resolve('data' in error ? error.data : error.message));
  });

interface Opened {
  stream: string;
  version: number;
  data: unknown;
  frames: Frame[];
}

/** Opens a query and keeps its data up to date as a browser would. */
async function open(client: Socket, query: string, params: unknown = {}): Promise<Opened> {
  const opened: Opened = { stream: '', version: 0, data: undefined, frames: [] };
  client.on('query:frame', (frame: Frame) => {
    if (frame.stream !== opened.stream || frame.from !== opened.version) return;
    opened.frames.push(frame);
    opened.version = frame.to;
    opened.data = applyPatch(opened.data, frame.patch as Patch);
  });
  const answer = await client.emitWithAck('query:open', { query, params });
  if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error);
  return Object.assign(opened, answer.value);
}

/** Of a packed map of acquisitions per minute: whether the row of that class has any. */
function isAcquiredIn({ data }: Opened, label: string): boolean {
  const { rows, cells } = data as { rows: { label: string }[]; cells: string[] };
  const row = rows.findIndex((each) => each.label === label);
  if (row < 0) return false;
  const ofRow = unpackHeatCells(cells, rows.length)
    .slice(row * cells.length)
    .slice(0, cells.length);
  return ofRow.some((value) => value > 0);
}

const keysIn = ({ data }: Opened): string[] =>
  (data as { items: { key: string }[] }).items.map(({ key }) => key);

describe('a connection', () => {
  it('is refused without a session', async () => {
    expect(await refusalOf(dial({ forceNew: true }))).toMatchObject({
      error: { code: 'UNAUTHENTICATED' },
    });
    expect(await refusalOf(dial({ auth: { token: 'wrong' }, forceNew: true }))).toMatchObject({
      error: { code: 'UNAUTHENTICATED' },
    });
  });

  it('is refused from another origin', async () => {
    const extraHeaders = { origin: 'https://evil.example', cookie: 'session=stolen' };
    expect(await refusalOf(dial({ extraHeaders, forceNew: true }))).toMatchObject({
      error: { code: 'FORBIDDEN' },
    });
  });

  it('ends when its session is revoked or its role changes, and only then', async () => {
    const [revoked, changed] = [await connectAs('viewer'), await connectAs('operator')];
    const unchanged = await connectAs('admin');
    sockets.actors.delete('viewer');
    sockets.actors.set('operator', { ...anActor('operator'), role: 'viewer' });
    await until('both are cut off', () => revoked.disconnected && changed.disconnected);
    expect(unchanged.connected).toBe(true);
  });
});

describe('an opened query', () => {
  it('answers with a snapshot and then with what changes', async () => {
    await server.client.set('lock:a', 'tok', 'PX', 60_000);
    await server.lock('lock:a');
    const client = await connectAs('viewer');
    const list = await open(client, 'locks', { q: 'lock:', state: 'held' });
    expect(keysIn(list)).toEqual(['lock:a']);
    await server.client.set('lock:b', 'tok', 'PX', 60_000);
    await until('the new lock', () => keysIn(list).includes('lock:b'));
    await server.client.del('lock:a');
    await until('the freed one is gone', () => !keysIn(list).includes('lock:a'));
    expect(list.data).toEqual(
      JSON.parse(
        JSON.stringify(await runQuery(server.as('viewer'), 'locks', { q: 'lock:', state: 'held' })),
      ),
    );
    expect(list.frames.length).toBeGreaterThan(0);
  });

  it('is computed and sent once for all who opened the same', async () => {
    const [first, second] = [await connectAs('viewer'), await connectAs('viewer')];
    const one = await open(first, 'locks', { limit: 50, q: 'lock:shared' });
    const other = await open(second, 'locks', { q: 'lock:shared', limit: '50' });
    expect(other.stream).toBe(one.stream);
    expect(sockets.computed).toEqual(['locks']);
    await server.client.set('lock:shared', 'tok', 'PX', 60_000);
    await until('both have it', () => keysIn(one).length === 1 && keysIn(other).length === 1);
    expect(other.frames).toEqual(one.frames);
  });

  it('is not shared with those who may do something else', async () => {
    await server.client.set('lock:role', 'tok', 'PX', 60_000);
    await server.lock('lock:role');
    const viewer = await open(await connectAs('viewer'), 'lock', addressOf('lock:role'));
    const operator = await open(await connectAs('operator'), 'lock', addressOf('lock:role'));
    expect(operator.stream).not.toBe(viewer.stream);
    expect(viewer.data).toMatchObject({ canRelease: false });
    expect(operator.data).toMatchObject({ canRelease: true });
  });

  it('gives a whole snapshot again to a browser that missed a frame', async () => {
    const client = await connectAs('viewer');
    const before = await open(client, 'locks', { q: 'lock:gap' });
    before.version = -1;
    await server.client.set('lock:gap', 'tok', 'PX', 60_000);
    await server.lock('lock:gap');
    await until('a later version', async () => {
      const again = await open(client, 'locks', { q: 'lock:gap' });
      return again.version > 1 && keysIn(again).length === 1;
    });
  });

  it('costs nothing once nobody listens', async () => {
    const client = await connectAs('viewer');
    const list = await open(client, 'locks', { q: 'lock:quiet' });
    client.emit('query:close', { stream: list.stream });
    await open(client, 'alerts');
    sockets.computed.length = 0;
    await server.client.set('lock:quiet', 'tok', 'PX', 60_000);
    await server.lock('lock:quiet');
    expect(sockets.computed).not.toContain('locks');
    const again = await open(client, 'locks', { q: 'lock:quiet' });
    expect(again.version).toBe(1);
  });

  it('of a packed heatmap sends the columns that changed', async () => {
    const client = await connectAs('viewer');
    const params = { packed: true, metric: 'acquisitions' };
    const opened = await open(client, 'heatmap', params);
    await server.client.set('inv:packed', 'alpha', 'PX', 30_000);
    await until('the lock is on the map', () => isAcquiredIn(opened, 'inv:packed'));
    const sent = opened.frames.length;
    await server.client.set('inv:packed:2', 'beta', 'PX', 30_000);
    await until('its acquisition is there', () => isAcquiredIn(opened, 'inv:packed:*'));
    const patches = opened.frames.slice(sent).map(({ patch }) => JSON.stringify(patch));
    expect(patches.join('')).toContain('"cells"');
  });

  it('may not be opened with what does not fit', async () => {
    const client = await connectAs('viewer');
    const code = (query: string, params: unknown) =>
      open(client, query, params).catch((error: { code?: string }) => error.code);
    expect(await code('locks', { limit: 'many' })).toBe('INVALID_INPUT');
    expect(await code('nonsense', {})).toBe('NOT_FOUND');
    expect(await code('lock', addressOf('lock:never-seen'))).toBe('NOT_FOUND');
    expect(await client.emitWithAck('query:open', null)).toMatchObject({ ok: false });
  });

  it('survives whatever a client sends', async () => {
    const client = await connectAs('viewer');
    client.emit('query:open');
    client.emit('query:open', { query: 'locks', params: {} }, 'no function');
    client.emit('query:close', 7);
    client.emit('action:run', null);
    expect(keysIn(await open(client, 'locks'))).toEqual(expect.any(Array));
  });
});

describe('an action over the socket', () => {
  it('acts for its actor, and its effect arrives as a frame', async () => {
    await server.client.set('lock:act', 'tok', 'PX', 60_000);
    const { hold } = await server.lock('lock:act');
    const operator = await connectAs('operator');
    const page = await open(operator, 'lock', addressOf('lock:act'));
    const input = { ...addressOf('lock:act'), version: hold?.version, reason: 'crashed' };
    const viewer = await connectAs('viewer');
    expect(await viewer.emitWithAck('action:run', { action: 'lock.release', input })).toMatchObject(
      { ok: false, error: { code: 'FORBIDDEN' } },
    );
    const answer = await operator.emitWithAck('action:run', { action: 'lock.release', input });
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'released' } });
    await until('the page shows it', () => (page.data as { state: string }).state === 'free');
    expect(page.data).toMatchObject({ lastEnd: { reason: 'force-released' } });
  });
});

describe('who may ask', () => {
  const HOUR_MS = 3_600_000;
  let own: TestSockets;
  /** What is asked shall end the connection, and not that all are looked at again now and then. */
  beforeAll(async () => {
    own = await serveSockets(server, { recheckMs: HOUR_MS });
  });
  afterAll(() => own.close());

  const connect = async (role: Role): Promise<Socket> => {
    own.actors.set(role, anActor(role));
    const client = dial({ auth: { token: role }, forceNew: true }, own.url);
    await until('connected', () => client.connected);
    return client;
  };

  const releaseBy = async (client: Socket, key: string): Promise<unknown> => {
    await server.client.set(key, 'tok', 'PX', 60_000);
    const { hold } = await server.lock(key);
    const input = { ...addressOf(key), version: hold?.version, reason: 'crashed' };
    return await client.emitWithAck('action:run', { action: 'lock.release', input });
  };

  it('is refused from the moment the session ends, and the connection is ended', async () => {
    const client = await connect('operator');
    own.actors.delete('operator');
    expect(await releaseBy(client, 'lock:ended')).toMatchObject({
      ok: false,
      error: { code: 'UNAUTHENTICATED' },
    });
    expect(await server.client.get('lock:ended')).toBe('tok');
    await until('cut off', () => client.disconnected);
  });

  it('is refused from the moment the role is taken away, and the connection is ended', async () => {
    const client = await connect('operator');
    own.actors.set('operator', { ...anActor('operator'), role: 'viewer' });
    expect(await releaseBy(client, 'lock:demoted')).toMatchObject({
      ok: false,
      error: { code: 'FORBIDDEN' },
    });
    expect(await server.client.get('lock:demoted')).toBe('tok');
    await until('cut off', () => client.disconnected);
  });

  it('is no exception: a query is not opened either once the session has ended', async () => {
    const client = await connect('viewer');
    own.actors.delete('viewer');
    expect(await client.emitWithAck('query:open', { query: 'locks', params: {} })).toMatchObject({
      ok: false,
      error: { code: 'UNAUTHENTICATED' },
    });
    await until('cut off', () => client.disconnected);
  });
});
