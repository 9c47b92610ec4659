import { beforeEach, describe, expect, it } from 'vitest';
import type { Ack, Snapshot } from '@/lib/protocol/events';
import type { ErrorBody } from '@/lib/protocol/errors';
import { LiveStore } from '@/lib/live/live-store';
import { LiveView } from '@/lib/live/live-view';
import { makePatch } from '@/lib/live/patch';
import type { LiveTransport, TransportHandlers } from '@/lib/live/transport';
import { until } from '@/test/support/until';

/** A wire in memory: the test is the server at its other end. */
class TestWire implements LiveTransport {
  handlers: TransportHandlers | null = null;
  readonly opened: { query: string; params: unknown; answer: (ack: Ack<Snapshot>) => void }[] = [];
  readonly closed: string[] = [];

  start(handlers: TransportHandlers): void {
    this.handlers = handlers;
  }
  stop(): void {
    this.handlers = null;
  }
  open(query: string, params: unknown): Promise<Ack<Snapshot>> {
    return new Promise((answer) => this.opened.push({ query, params, answer }));
  }
  close(stream: string): void {
    this.closed.push(stream);
  }
  async run(action: string): Promise<Ack<unknown>> {
    if (action === 'alert.silence') return { ok: true, value: { alert: 'quiet' } };
    return { ok: false, error: { code: 'CONFLICT', message: 'Not released.' } };
  }

  /** Answers the last `query:open`. */
  async snapshot(data: unknown, version = 1, stream = 's'): Promise<void> {
    const value = { stream, version, at: Date.now(), data } as Snapshot;
    this.opened.at(-1)?.answer({ ok: true, value });
    await Promise.resolve();
    await Promise.resolve();
  }
  frame(before: unknown, after: unknown, from = 1, stream = 's'): void {
    const patch = makePatch(before, after);
    this.handlers?.frame({ stream, from, to: from + 1, at: Date.now(), patch });
  }
}

const page = (total: number) => ({ items: [], total, all: total, offset: 0, cursor: null });

let wire: TestWire;
let store: LiveStore;

beforeEach(() => {
  wire = new TestWire();
  store = new LiveStore(wire);
  store.start();
  wire.handlers?.connection('connected', null);
  return () => store.stop();
});

describe('the live store', () => {
  it('opens a query once for all who use it', async () => {
    const first = store.use('locks', { limit: 50, q: 'a' });
    const second = store.use('locks', { q: 'a', limit: 50 });
    expect(first).toBe(second);
    expect(wire.opened).toHaveLength(1);
    await wire.snapshot(page(1));
    expect(first.snapshot).toMatchObject({ state: 'live', data: { total: 1 }, error: null });
  });

  it('applies frames that continue what it holds and tells its listeners', async () => {
    const entry = store.use('locks', {});
    await wire.snapshot(page(1));
    let told = 0;
    entry.subscribe(() => told++);
    wire.frame(page(1), page(2));
    expect(entry.snapshot.data).toEqual(page(2));
    expect(told).toBe(1);
    expect(wire.opened).toHaveLength(1);
  });

  it('asks for a snapshot when a frame is missing', async () => {
    const entry = store.use('locks', {});
    await wire.snapshot(page(1));
    wire.frame(page(2), page(3), 2);
    expect(wire.opened).toHaveLength(2);
    expect(entry.snapshot.data).toEqual(page(1));
    await wire.snapshot(page(3), 3);
    wire.frame(page(3), page(4), 3);
    expect(entry.snapshot.data).toEqual(page(4));
  });

  it('ignores frames that it already has by its snapshot', async () => {
    const entry = store.use('locks', {});
    await wire.snapshot(page(5), 4);
    wire.frame(page(1), page(2), 2);
    expect(entry.snapshot.data).toEqual(page(5));
    expect(wire.opened).toHaveLength(1);
  });

  it('marks data stale while disconnected and opens everything again afterwards', async () => {
    const entry = store.use('locks', {});
    await wire.snapshot(page(1));
    wire.handlers?.connection('disconnected', null);
    expect(entry.snapshot).toMatchObject({ state: 'stale', data: { total: 1 } });
    wire.handlers?.connection('connected', null);
    expect(wire.opened).toHaveLength(2);
    await wire.snapshot(page(2), 1, 'other');
    expect(entry.snapshot).toMatchObject({ state: 'live', data: { total: 2 } });
  });

  it('drops an answer that comes after a newer question', async () => {
    const entry = store.use('locks', {});
    wire.handlers?.connection('disconnected', null);
    wire.handlers?.connection('connected', null);
    await wire.snapshot(page(2), 2);
    wire.opened[0]?.answer({
      ok: true,
      value: { stream: 'old', version: 1, at: 1, data: page(1) } as Snapshot,
    });
    await Promise.resolve();
    expect(entry.snapshot.data).toEqual(page(2));
  });

  it('closes a query a while after its last user left', async () => {
    const entry = store.use('locks', {});
    await wire.snapshot(page(1));
    store.release(entry);
    expect(wire.closed).toEqual([]);
    await until('the query is closed', () => wire.closed.length === 1);
    expect(store.use('locks', {})).not.toBe(entry);
  });

  it('keeps a stream that another spelling of the parameters still uses', async () => {
    const first = store.use('locks', { limit: 50 });
    await wire.snapshot(page(1));
    store.use('locks', { limit: 50, cursor: '0' });
    await wire.snapshot(page(1));
    const other = store.use('alerts', {});
    await wire.snapshot({ items: [] }, 1, 'alerts');
    store.release(first);
    store.release(other);
    await until('the other query is closed', () => wire.closed.includes('alerts'));
    expect(wire.closed).toEqual(['alerts']);
  });

  it('shows a failure with the data of before', async () => {
    const entry = store.use('locks', {});
    await wire.snapshot(page(1));
    const error: ErrorBody['error'] = { code: 'FORBIDDEN', message: 'Not yours.' };
    wire.handlers?.failed({ stream: 's', error });
    expect(entry.snapshot).toMatchObject({ state: 'failed', error, data: { total: 1 } });
  });

  it('follows the server’s clock', async () => {
    store.use('locks', {});
    wire.opened[0]?.answer({
      ok: true,
      value: { stream: 's', version: 1, at: Date.now() + 60_000, data: page(1) } as Snapshot,
    });
    await until('the clock moved', () => store.serverNow() > Date.now() + 59_000);
  });

  it('throws the error of a refused action by its code', async () => {
    await expect(store.run('alert.acknowledge', { id: 'a', reason: 'why' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Not released.',
    });
    await expect(store.run('alert.silence', { id: 'a', reason: 'why' })).resolves.toEqual({
      alert: 'quiet',
    });
  });
});

describe('a live view', () => {
  it('goes on showing the previous data while its parameters change', async () => {
    const view = new LiveView(store, 'locks');
    view.show({ q: 'a' });
    await wire.snapshot(page(1));
    view.show({ q: 'b' });
    expect(view.snapshot()).toMatchObject({ state: 'loading', data: { total: 1 } });
    await wire.snapshot(page(2), 1, 't');
    expect(view.snapshot()).toMatchObject({ state: 'live', data: { total: 2 } });
  });

  it('does not show other parameters’ data beside a failure', async () => {
    const view = new LiveView(store, 'locks');
    view.show({ q: 'a' });
    await wire.snapshot(page(1));
    view.show({ q: 'b' });
    wire.opened.at(-1)?.answer({ ok: false, error: { code: 'FORBIDDEN', message: 'no' } });
    await until('it failed', () => view.snapshot().state === 'failed');
    expect(view.snapshot().data).toBeUndefined();
  });

  it('can be closed and shown again', async () => {
    const view = new LiveView(store, 'locks');
    view.show({});
    await wire.snapshot(page(1));
    view.close();
    view.show({});
    wire.frame(page(1), page(2));
    expect(view.snapshot()).toMatchObject({ state: 'live', data: { total: 2 } });
    expect(wire.opened).toHaveLength(1);
  });
});
