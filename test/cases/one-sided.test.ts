import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionInput } from '@/lib/protocol/actions';
import type { GapReason } from '@/lib/protocol/target';
import type { TestConsole } from '@/test/support/console';
import { replicatedRedis, type ReplicatedRedis } from '@/test/support/replicated-redis';
import { alertsAbout, firing, resolved } from '@/test/support/seen';
import { until } from '@/test/support/until';

const PATIENCE_MS = 90_000;
const LEASE_MS = 600_000;
const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

let parts: ReplicatedRedis;
let console: TestConsole;
let client: Redis;
beforeEach(async () => {
  parts = await replicatedRedis({ LOCKSCOPE_WATCH: 'inv:*' });
  ({ console, primary: client } = parts);
});
afterEach(async () => await parts.stop());

const many = (count: number, owner: string): string[] => Array.from({ length: count }, () => owner);

/** Each owner takes another lock of the class `inv:<name>:*`, and the console reads whose they are. */
async function taken(name: string, owners: readonly string[], from = 0): Promise<void> {
  const keys = owners.map((owner, n) => ({ key: `inv:${name}:${from + n}`, owner }));
  const taking = client.multi();
  for (const { key, owner } of keys) taking.hset(key, owner, 1).pexpire(key, LEASE_MS);
  await taking.exec();
  await until(
    `the owners of ${name} are read`,
    async () => {
      const { items } = await console.query('locks', {
        class: `inv:${name}:*`,
        state: 'held',
        limit: '1000',
      });
      const known = new Map(items.map(({ key, hold }) => [key, hold?.owner.id]));
      return keys.every(({ key, owner }) => known.get(key) === owner);
    },
    PATIENCE_MS,
  );
}

async function lasts(value: number): Promise<void> {
  const body: ActionInput<'rule.save'> = {
    code: 'one-sided',
    class: null,
    setting: {
      ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
      threshold: { kind: 'static', value },
    },
    reason: 'five minutes are long for us',
  };
  expect(await console.request('POST', '/api/v1/rules', { body })).toMatchObject({ status: 200 });
}

/** Until the console sees again after a loss that had that reason. */
const seesAgainAfter = (reason: GapReason) =>
  until(
    `it sees again: ${reason}`,
    async () => {
      const [target] = await console.query('targets');
      const [node] = target?.nodes ?? [];
      const isOver = node?.gaps.some((gap) => gap.reason === reason && gap.to !== null);
      return isOver === true && node?.connected === true && node.canSee.acquire === true;
    },
    PATIENCE_MS,
  );

async function failOver(): Promise<void> {
  await client.wait(1, PATIENCE_MS);
  await parts.failOver();
  client = parts.replica;
  await seesAgainAfter('server-restarted');
}

/** Whatever is told of this lock is told by a look at all of them. */
async function judged(key: string): Promise<void> {
  await client.set(key, A, 'PX', LEASE_MS);
  await firing(console, 'empty-key', key, PATIENCE_MS);
}

const none = async (name: string): Promise<void> =>
  expect(await alertsAbout(console, 'one-sided', `inv:${name}:*`)).toEqual([]);

describe('one instance that gets all locks since a failover', () => {
  it('is told by name, and not where others get some, where only one ever did, or of a few locks', async () => {
    await lasts(1_000);
    for (const name of ['both', 'few', 'web']) await taken(name, [A, B]);
    await taken('alone', [A, A]);
    await failOver();
    await taken('both', [B], 2);
    await taken('both', many(12, A), 3);
    await taken('alone', many(12, A), 2);
    await taken('few', many(9, A), 2);
    // What B holds it had before.
    await console.heldBy('inv:web:1', B);
    await taken('web', many(12, A), 2);
    const alert = await firing(console, 'one-sided', 'inv:web:*', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'inferred' });
    expect(alert.summary).toMatch(
      new RegExp(
        `^only ${A} has got these locks after Redis restarted .* ago; 2 instances did before`,
      ),
    );
    expect(alert.remedy).toContain('died with the old server');
    for (const name of ['both', 'alone', 'few']) await none(name);
    await taken('web', [B], 14);
    await resolved(console, 'one-sided', 'inv:web:*');
  }, 300_000);

  it('is none where the same server was merely out of sight, nor before it lasted', async () => {
    await lasts(0);
    await taken('cut', [A, B]);
    await client.client('KILL', 'TYPE', 'PUBSUB');
    await seesAgainAfter('connection-lost');
    await taken('cut', many(12, A), 2);
    await judged('lock:cut:undefined');
    await none('cut');
    await taken('soon', [A, B]);
    await failOver();
    await lasts(3_600_000);
    await taken('soon', many(12, A), 2);
    await judged('lock:soon:undefined');
    await none('soon');
    await lasts(0);
    await firing(console, 'one-sided', 'inv:soon:*', PATIENCE_MS);
    await none('cut');
  }, 300_000);
});
