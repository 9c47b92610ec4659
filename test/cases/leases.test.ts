import { beforeAll, describe, expect, it } from 'vitest';
import type { ActionInput } from '@/lib/protocol/actions';
import type { AlertCode } from '@/lib/protocol/alert';
import { alertsAbout, firing, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/**
 * Leases that are wrong for their work, each beside its twin that looks like it and is none. The twin comes first: once
 * the other has been told, it has been judged as well.
 */
const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });
const PATIENCE_MS = 90_000;
const LONG_MS = 60_000;
/** Room for the console to read a hundred leases on a busy machine. */
const SHORT_MS = 15_000;

// Of a lock that the first look finds rather than an event, nobody knows with which lease it was taken.
beforeAll(async () => {
  await until(
    'the first look is over',
    async () => {
      const [target] = await at.console.query('targets');
      return target?.nodes[0]?.sweep.finishedAt ?? undefined;
    },
    PATIENCE_MS,
  );
});

const none = async (code: AlertCode, label: string): Promise<void> =>
  expect(await alertsAbout(at.console, code, label)).toEqual([]);

const keysOf = (name: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `inv:${name}:${from + n}`);

/** Takes them all, and waits until their leases are read. */
async function take(name: string, keys: readonly string[], leaseMs: number): Promise<void> {
  const taking = at.client.pipeline();
  for (const key of keys) taking.set(key, 'worker', 'PX', leaseMs, 'NX');
  await taking.exec();
  await until(
    `the leases of ${name} are read`,
    async () => {
      const filter = { class: `inv:${name}:*`, state: 'held', limit: '1000' };
      const { items } = await at.console.query('locks', filter);
      const read = new Set(
        items.filter(({ hold }) => hold !== null && hold.leaseMs !== null).map(({ key }) => key),
      );
      return keys.every((key) => read.has(key));
    },
    PATIENCE_MS,
  );
}

const endsOf = async (name: string): Promise<Partial<Record<string, number>>> => {
  const { items } = await at.console.query('classes');
  return items.find((row) => row.class === `inv:${name}:*`)?.ends ?? {};
};

/** Waits until that many holds of the class are known to have ended so. */
const ended = async (name: string, reason: string, count: number): Promise<void> => {
  await until(
    `${count} of ${name} ended: ${reason}`,
    async () => (await endsOf(name))[reason] === count,
    PATIENCE_MS,
  );
};

/** Held and given back; and held until the lease ended. */
async function work(name: string, released: number, ranOut: number): Promise<void> {
  const back = keysOf(name, released);
  await take(name, back, LONG_MS);
  await at.client.del(...back);
  await ended(name, 'released', released);
  await take(name, keysOf(name, ranOut, released), SHORT_MS);
}

describe('a lock that is over almost as soon as it is taken', () => {
  /** A twentieth is still room to be read on a busy machine. */
  const USUAL_MS = 210_000;

  it('is one of a twentieth of the usual lease, and not of a seventh, nor one cut short on purpose', async () => {
    const usual = keysOf('born', 120);
    await take('born', usual, USUAL_MS);
    await at.client.del(...usual);
    await ended('born', 'released', usual.length);
    await take('born', ['inv:born:200'], USUAL_MS / 7);
    await at.client.del('inv:born:200');
    await take('born', ['inv:born:201'], USUAL_MS);
    await at.client.pexpire('inv:born:201', USUAL_MS / 20);
    for (const key of ['inv:born:200', 'inv:born:201']) {
      await seenAs(at.console, key, ({ state }) => state === 'free', PATIENCE_MS);
    }
    await take('born', ['inv:born:202'], USUAL_MS / 20);
    await firing(at.console, 'born-short', 'inv:born:202', PATIENCE_MS);
    await none('born-short', 'inv:born:200');
    await none('born-short', 'inv:born:201');
  }, 300_000);
});

describe('a lease that is shorter than the work it guards', () => {
  it('is one that two in a hundred outlive, and not one in a hundred and two, nor most of them', async () => {
    const body: ActionInput<'rule.save'> = {
      code: 'lease-too-short',
      class: null,
      setting: {
        ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
        threshold: { kind: 'static', value: 100 },
      },
      reason: 'a hundred tell enough',
    };
    expect(await at.console.request('POST', '/api/v1/rules', { body })).toMatchObject({
      status: 200,
    });
    await work('once', 101, 1);
    await work('left', 45, 60);
    await ended('once', 'lease-ended', 1);
    await ended('left', 'lease-ended', 60);
    await work('job', 98, 2);
    const alert = await firing(at.console, 'lease-too-short', 'inv:job:*', PATIENCE_MS);
    expect(alert.summary).toMatch(
      /^2 of the last 100 holds outlasted the .* that they were taken for/,
    );
    await none('lease-too-short', 'inv:once:*');
    await none('lease-too-short', 'inv:left:*');
    await none('born-short', 'inv:left:50');
  }, 300_000);
});
