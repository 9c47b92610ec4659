import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import type { PublishResult, TimeoutsPage } from '@/lib/protocol/advice';
import { isCodedError } from '@/lib/protocol/errors';
import { runAction } from '@/server/actions/run-action';
import { ask } from '@/test/server/queries/ask';
import { aRollup, sketchOf, STEP_MS } from '@/test/server/queries/history-samples';
import { startServer, TARGET, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

const DAY_MS = 86_400_000;
const HASH = 'lockscope:advice';
const reason = 'leases as they are used';

let server: TestServer;

/** Holds of 10 ms to 10 s each day of a week, of locks of our own client. */
async function record(lockClass: string, namespace: string, on = server): Promise<void> {
  const hold = sketchOf(Array.from({ length: 1000 }, (_, n) => (n + 1) * 10));
  const now = Date.now();
  const rollups = [7, 5, 3, 1].map((days) =>
    aRollup({
      ...{ class: lockClass, namespace, formatId: 'qoder' },
      step: Math.floor((now - days * DAY_MS) / STEP_MS) * STEP_MS + (days === 7 ? STEP_MS : 0),
      ...{ acquisitions: 1000, ends: { released: 1000 }, sketches: { hold } },
    }),
  );
  await on.context.store.writeRollups({ rollups, blame: [] });
  on.context.adviceMemory.week.forget();
  on.context.adviceMemory.timeouts.forget();
}

const page = (): Promise<TimeoutsPage> => ask(server.as('viewer'), 'timeouts', {});

type Classes = 'all' | { namespace: string; class: string; leaseMs?: number }[];
/** `runAction` is typed for any action. */
const publish = async (
  classes: Classes,
  role: 'admin' | 'operator' = 'admin',
  on = server,
): Promise<PublishResult> =>
  (await runAction(on.as(role), 'advice.publish', {
    ...{ target: TARGET, classes, reason },
  })) as PublishResult;

async function refusal(act: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await act;
    return { code: 'none', message: '' };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { code: error.code, message: error.message };
  }
}

const ORDERS = { class: 'qoder:lock:order_sync:*', namespace: 'order_sync' };
const REPORTS = { class: 'qoder:lock:billing:report:*', namespace: 'billing' };

beforeAll(async () => {
  server = await startServer();
  await record(ORDERS.class, ORDERS.namespace);
  // A client of that namespace was there: it has reported.
  await server.client.xadd('lockscope:reports:billing', '*', 'event', 'refused', 'count', '1');
  await record(REPORTS.class, REPORTS.namespace);
});
afterAll(() => server.stop());

describe('publishing leases', () => {
  it('is shown before it is done: where each would be written, and what is there', async () => {
    const { items } = await page();
    const command = (hash: string, field: string): unknown =>
      expect.stringMatching(
        new RegExp(`^redis-cli -h 127\\.0\\.0\\.1 -p \\d+ -n 0 HSET ${hash} '${field}' \\d+$`),
      );
    const orders = { hash: HASH, field: 'order_sync:*' };
    const reports = { hash: `${HASH}:billing`, field: 'report:*' };
    expect(items.map(({ class: name, publish: places }) => [name, places])).toEqual(
      expect.arrayContaining([
        [
          ORDERS.class,
          [{ db: 0, ...orders, nowMs: null, command: command(HASH, 'order_sync:\\*') }],
        ],
        [
          REPORTS.class,
          [{ db: 0, ...reports, nowMs: null, command: command(reports.hash, 'report:\\*') }],
        ],
      ]),
    );
  });

  it('needs an admin, and a reason', async () => {
    expect(await refusal(publish('all', 'operator'))).toMatchObject({ code: 'FORBIDDEN' });
    const withoutReason = runAction(server.as('admin'), 'advice.publish', {
      ...{ target: TARGET, classes: 'all', reason: '' },
    });
    expect(await refusal(withoutReason)).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await server.client.exists(HASH)).toBe(0);
  });

  it('writes what was shown, is audited, and is told back', async () => {
    // A clock that stands: what was shown is remembered for some seconds, and another figure once it is computed anew.
    const at = Date.now();
    const shown = await ask({ ...server.as('viewer'), now: () => at }, 'timeouts', {});
    const leaseMs = shown.items.find((item) => item.class === ORDERS.class)?.recommendedMs ?? 0;
    const result = await runAction({ ...server.as('admin'), now: () => at }, 'advice.publish', {
      ...{ target: TARGET, classes: [{ ...ORDERS, leaseMs }], reason },
    });
    const lease = { db: 0, hash: HASH, field: 'order_sync:*', leaseMs };
    expect(result).toEqual({
      ...{ outcome: 'published', written: [{ ...lease, beforeMs: null }], removed: [] },
    });
    expect(await server.client.hgetall(HASH)).toEqual({ 'order_sync:*': `${leaseMs}` });
    const { items: audited } = await server.context.store.audit({ limit: 2 });
    expect(audited).toMatchObject([
      { action: 'advice.publish', outcome: 'done', after: { written: [lease] } },
      { action: 'advice.publish', outcome: 'requested', reason, before: { classes: [ORDERS] } },
    ]);
    const after = (await page()).items.find((item) => item.class === ORDERS.class);
    expect(after?.publish).toMatchObject([{ nowMs: leaseMs }]);
  });

  it('is refused where the recommendation has moved since it was shown', async () => {
    const { code, message } = await refusal(publish([{ ...ORDERS, leaseMs: 2_000 }]));
    expect(code).toBe('CONFLICT');
    expect(message).toMatch(/Not published: for qoder:lock:order_sync:\* .* is recommended now/);
    const unknown = publish([{ class: 'nothing:*', namespace: 'nothing' }]);
    expect(await refusal(unknown)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is read by the lock client, which leases by it', async () => {
    const [wanted] = (await publish([ORDERS])).written;
    const client = createLockClient({
      redis: server.redis.client(),
      allowInsecure: true,
      adaptiveLease: { minMs: 1_000, maxMs: 60_000 },
    });
    try {
      const leaseMs = await until('the advice is used', async () => {
        const lock = await client.acquire('order_sync:42');
        const ttl = await server.client.pttl('qoder:lock:order_sync:42');
        await lock.release();
        return ttl < 50_000 ? ttl : null;
      });
      expect(leaseMs).toBeLessThanOrEqual(wanted?.leaseMs ?? 0);
      expect(leaseMs).toBeGreaterThan((wanted?.leaseMs ?? 0) - 5_000);
      const lock = await client.acquire('other:1');
      expect(await server.client.pttl('qoder:lock:other:1')).toBeGreaterThan(50_000);
      await lock.release();
    } finally {
      await client.close();
    }
  });

  it('of all takes out what it had published and is recommended no more, and nothing else', async () => {
    const { client, context } = server;
    // As an earlier console left it, one field changed by somebody since, and one that was never ours.
    for (const [field, leaseMs] of [
      ['gone:*', 7_000],
      ['changed:*', 8_000],
    ] as const) {
      const lease = { db: 0, hash: HASH, field, leaseMs };
      const id = `0\n${HASH}\n${field}`;
      await context.store.saveDocument({ kind: 'published-lease', id, value: lease });
    }
    await client.hset(HASH, 'gone:*', '7000', 'changed:*', '9999', 'theirs:*', '5000');
    context.adviceMemory.timeouts.forget();
    const { stale } = await page();
    expect(stale).toEqual([{ db: 0, hash: HASH, field: 'gone:*', leaseMs: 7_000 }]);
    const { written, removed } = await publish('all');
    expect(removed).toEqual(stale);
    expect(written.map(({ hash, field }) => [hash, field])).toEqual(
      expect.arrayContaining([
        [HASH, 'order_sync:*'],
        [`${HASH}:billing`, 'report:*'],
      ]),
    );
    expect(Object.keys(await client.hgetall(HASH)).toSorted()).toEqual([
      ...['changed:*', 'order_sync:*', 'theirs:*'],
    ]);
    expect((await page()).stale).toEqual([]);
  });
});

describe('a console that may not write', () => {
  it('says which rule would let it publish, and which would let it read', async () => {
    const acl = [
      'allchannels',
      '%R~*',
      '%RW~lockscope:canary:*',
      '+@all',
      '-@scripting',
      '-hgetall',
    ];
    const narrow = await startServer({ acl });
    try {
      await record(ORDERS.class, ORDERS.namespace, narrow);
      const { unreadable } = await ask(narrow.as('viewer'), 'timeouts', {});
      expect(unreadable?.message).toContain('ACL SETUSER watcher %R~lockscope:* +hgetall +exists');
      const { code, message } = await refusal(publish([ORDERS], 'admin', narrow));
      expect(code).toBe('CAPABILITY_MISSING');
      const rule = /ACL SETUSER watcher (.*)$/.exec(message)?.[1]?.split(' ') ?? [];
      await narrow.client.call('ACL', 'SETUSER', 'watcher', ...rule, '+hgetall');
      expect((await publish([ORDERS], 'admin', narrow)).written).toHaveLength(1);
    } finally {
      await narrow.stop();
    }
  });
});
