import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSocketTransport } from '@/components/live/socket-transport';
import { LiveStore } from '@/lib/live/live-store';
import type { LiveEntry } from '@/lib/live/live-entry';
import type { LockPage } from '@/lib/protocol/queries';
import { anActor, startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { serveSockets, type TestSockets } from '@/test/server/socket/sockets-under-test';
import { until } from '@/test/support/until';

let server: TestServer;
let sockets: TestSockets;
let store: LiveStore;

beforeAll(async () => {
  server = await startServer();
  sockets = await serveSockets(server);
  sockets.actors.set('viewer', anActor('viewer'));
});
afterAll(async () => {
  await sockets.close();
  await server.stop();
});
afterEach(() => store.stop());

function startStore(token: string): LiveStore {
  const options = { auth: { token }, forceNew: true, reconnectionDelay: 50 };
  store = new LiveStore(createSocketTransport({ url: sockets.url, options }));
  store.start();
  return store;
}

/** `locks` was opened, so the data are a page of locks. */
const keysIn = ({ snapshot }: LiveEntry): string[] =>
  ((snapshot.data as LockPage | undefined)?.items ?? []).map(({ key }) => key);

describe('the browser’s store on the server’s socket', () => {
  it('shows what happens in Redis', async () => {
    const entry = startStore('viewer').use('locks', { q: 'lock:live' });
    await until('live', () => entry.snapshot.state === 'live');
    await server.client.set('lock:live:1', 'tok', 'PX', 60_000);
    await until('the lock', () => keysIn(entry).includes('lock:live:1'));
  });

  it('marks everything stale when the console goes, and catches up when it is back', async () => {
    const entry = startStore('viewer').use('locks', { q: 'lock:back', state: 'held' });
    await until('live', () => entry.snapshot.state === 'live');
    const port = Number(new URL(sockets.url).port);
    await sockets.close();
    await until('stale', () => entry.snapshot.state === 'stale');
    expect(store.connection).toBe('disconnected');
    await server.client.set('lock:back:1', 'tok', 'PX', 60_000);
    sockets = await serveSockets(server, { port });
    sockets.actors.set('viewer', anActor('viewer'));
    await until('live again', () => entry.snapshot.state === 'live');
    await until('caught up', () => keysIn(entry).includes('lock:back:1'));
  });

  it('says why it was turned away', async () => {
    startStore('nobody');
    await until('refused', () => store.refused?.code === 'UNAUTHENTICATED');
    expect(store.connection).toBe('disconnected');
  });

  it('says of an act after the session ended that it ended, not that nobody answers', async () => {
    sockets.actors.set('ends', anActor('operator'));
    startStore('ends');
    await until('connected', () => store.connection === 'connected');
    sockets.actors.delete('ends');
    const act = () => store.run('alert.acknowledge', { id: 'none', reason: 'seen' });
    await expect(act()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await until('refused', () => store.refused?.code === 'UNAUTHENTICATED');
    await expect(act()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('runs actions and throws their refusals', async () => {
    startStore('viewer');
    await until('connected', () => store.connection === 'connected');
    await expect(
      store.run('alert.acknowledge', { id: 'none', reason: 'seen' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
