import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview } from '@/lib/protocol/measures';
import type { LockPage } from '@/lib/protocol/queries';
import { runQuery } from '@/server/queries';
import { until } from '@/test/support/until';
import { startServer, type TestServer } from './server-under-test';

describe('while Redis is out of reach', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await server.client.set('lock:orders:1', 'alpha', 'PX', 600_000);
    await server.lock('lock:orders:1');
    await server.redis.stop();
    await until('the loss is noticed', () => !server.context.table.connected);
  });
  afterAll(() => server.stop());

  it('no rate and no number of waiters is claimed', async () => {
    const { counters, targets } = asOverview(await runQuery(server.as('viewer'), 'overview', {}));
    expect(counters).toMatchObject({
      held: 1,
      waiting: null,
      waitingUnknownLocks: 1,
      acquisitionsPerMinute: null,
      lostPerMinute: null,
    });
    expect(targets).toMatchObject([{ connected: false, blind: true, sight: 'nothing' }]);
  });

  it('the list of locks says that it is an old one', async () => {
    const page = asPage(await runQuery(server.as('viewer'), 'locks', {}));
    expect(page).toMatchObject({ connected: false, total: 1 });
  });
});

describe('a rate', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('leaves out the steps in which events were missed, and is null when those are all', async () => {
    const { context } = server;
    const at = context.now();
    const asViewer = { ...server.as('viewer'), startedAt: at - 120_000 };
    const ask = async () => asOverview(await runQuery(asViewer, 'overview', {}));
    expect((await ask()).counters).toMatchObject({ acquisitionsPerMinute: 0, lostPerMinute: 0 });
    await context.store.writeGap(context.targetId, {
      from: at - 120_000,
      to: at + 60_000,
      reason: 'buffer-cut',
    });
    expect((await ask()).counters).toMatchObject({
      acquisitionsPerMinute: null,
      lostPerMinute: null,
    });
  });
});

/** The results of these queries; `runQuery` is typed for any. */
const asOverview = (result: unknown): Overview => result as Overview;
const asPage = (result: unknown): LockPage => result as LockPage;
