import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionInput, ActionName } from '@/lib/protocol/actions';
import { AlertDetail, type Alert } from '@/lib/protocol/alert';
import { DryRun } from '@/lib/protocol/rules';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const HOUR_MS = 3_600_000;
const PATIENCE_MS = 60_000;
const reason = 'a test of the whole life';

let redis: TestRedis | undefined;
let running: TestConsole | undefined;
afterEach(async () => {
  await running?.stop();
  await redis?.stop();
});

async function start(): Promise<{ redis: TestRedis; running: TestConsole }> {
  redis = await startRedis();
  const env = { LOCKSCOPE_LONG_HOLD_MS: '300', LOCKSCOPE_WATCH: 'inv:*,pay:*,log:*' };
  running = await startConsole({ redisUrl: redis.url, env });
  return { redis, running };
}

const PATHS = {
  'rule.save': '/api/v1/rules',
  'silence.add': '/api/v1/silences',
} as const satisfies Partial<Record<ActionName, string>>;

async function post<N extends keyof typeof PATHS>(
  at: TestConsole,
  name: N,
  body: ActionInput<N>,
): Promise<void> {
  const answer = await at.request('POST', PATHS[name], { body });
  expect(answer).toMatchObject({ status: 200 });
}

const openOf = async (at: TestConsole, label: string): Promise<Alert | undefined> => {
  const { items } = await at.query('alerts', { state: 'open', code: 'long-hold' });
  return items.find(({ subject }) => subject.label === label);
};

const detailOf = (at: TestConsole, id: string): Promise<AlertDetail> =>
  at.get<AlertDetail>(`/alerts/${id}`);

/** Alerts that are in the database in that state. */
function savedAs(at: TestConsole, state: Alert['state']): number {
  const db = new Database(join(at.dataDir, 'lockscope.db'), { readonly: true });
  const rows = db.prepare('select 1 from alerts where state = ?').all(state);
  db.close();
  return rows.length;
}

const openAs = (at: TestConsole, label: string, state: Alert['state']): Promise<Alert> =>
  until(
    `${label} is ${state}`,
    async () => {
      const alert = await openOf(at, label);
      return alert?.state === state ? alert : null;
    },
    PATIENCE_MS,
  );

describe('a console that is killed', () => {
  it('knows afterwards what waits to fire, who looks after what, what is silenced, and its rules', async () => {
    const {
      redis: { client },
      running: at,
    } = await start();
    const waits = { enabled: true, severity: null, forMs: HOUR_MS, keepFiringMs: 0 };
    const threshold = { kind: 'static', value: 300 } as const;
    await post(at, 'rule.save', {
      ...{ code: 'long-hold', class: 'log:*', reason },
      setting: { ...waits, threshold },
    });
    const matcher = { class: 'pay:*' };
    await post(at, 'silence.add', { matcher, untilMs: Date.now() + HOUR_MS, reason });
    for (const key of ['inv:1', 'inv:2', 'pay:1', 'log:1']) {
      await client().set(key, 'A', 'PX', HOUR_MS);
    }
    const pending = await openAs(at, 'log:1', 'pending');
    const silenced = await openAs(at, 'pay:1', 'silenced');
    const { id } = await openAs(at, 'inv:1', 'firing');
    const own = await openAs(at, 'inv:2', 'firing');
    const acknowledged = await at.request('POST', `/api/v1/alerts/${id}/acknowledge`, {
      body: { reason },
    });
    expect(acknowledged.status).toBe(200);
    await at.request('POST', `/api/v1/alerts/${own.id}/silence`, { body: { reason } });
    // What somebody did is saved before it is answered; what the console saw is not.
    await until(
      'what was seen is saved',
      () => savedAs(at, 'pending') === 1 && savedAs(at, 'silenced') === 2,
      PATIENCE_MS,
    );
    await at.kill();
    await at.restart();
    expect(await openAs(at, 'inv:1', 'acknowledged')).toMatchObject({
      ...{ id, acknowledgedReason: reason },
    });
    expect(await openAs(at, 'inv:2', 'silenced')).toMatchObject({ id: own.id, silenceId: null });
    expect(await openAs(at, 'pay:1', 'silenced')).toMatchObject({
      ...{ id: silenced.id, silenceId: silenced.silenceId },
    });
    expect(await openAs(at, 'log:1', 'pending')).toMatchObject({
      ...{ id: pending.id, firesAt: pending.firesAt },
    });
    const { events } = await detailOf(at, id);
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['fired', 'acknowledged']),
    );
    const { rules, silences } = await at.query('rules');
    expect(silences).toMatchObject([{ matcher, matching: 1 }]);
    const { classes } = rules.find(({ code }) => code === 'long-hold') ?? { classes: [] };
    expect(classes.map((one) => one.class)).toEqual(['log:*']);
  }, 200_000);

  it('does not resolve what it cannot see afterwards, and does once it has looked', async () => {
    const { redis: target, running: at } = await start();
    await target.client().set('inv:1', 'A', 'PX', HOUR_MS);
    await target.client().set('inv:2', 'A', 'PX', HOUR_MS);
    await openAs(at, 'inv:1', 'firing');
    const { id } = await openAs(at, 'inv:2', 'firing');
    process.kill(target.pid, 'SIGSTOP');
    try {
      const doubtful = await until(
        'it is doubtful',
        async () => (await openOf(at, 'inv:2'))?.doubtful ?? null,
        PATIENCE_MS,
      );
      expect(doubtful.code).toBe('blind');
      expect(await openOf(at, 'inv:1')).toMatchObject({ state: 'firing' });
    } finally {
      process.kill(target.pid, 'SIGCONT');
    }
    await target.client().del('inv:2');
    await until('it is over', async () => (await openOf(at, 'inv:2')) === undefined, PATIENCE_MS);
    await until(
      'the other is certain',
      async () => (await openOf(at, 'inv:1'))?.doubtful === null,
      PATIENCE_MS,
    );
    const detail = await detailOf(at, id);
    expect(AlertDetail.parse(detail).alert.state).toBe('resolved');
  }, 200_000);
});

it('an incident is told as Markdown and as JSON, and refused in any other form', async () => {
  const { redis: target, running: at } = await start();
  await target.client().set('inv:`x`|1', 'A', 'PX', HOUR_MS);
  const { id } = await openAs(at, 'inv:`x`|1', 'firing');
  const path = `/api/v1/alerts/${id}/export`;
  const headers = { authorization: `Bearer ${'test-admin-token-of-at-least-32-characters'}` };
  const told = await fetch(`${at.url}${path}`, { headers });
  expect(told.headers.get('content-type')).toContain('text/markdown');
  expect(told.headers.get('content-disposition')).toContain(`alert-${id}.md`);
  expect((await told.text()).split('\n')[0]).toBe('# Long hold: ``inv:`x`\\|1``');
  const { status, body } = await at.request('GET', `${path}?as=json`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ alert: { id }, events: [{ kind: 'fired' }] });
  expect(await at.request('GET', `${path}?as=pdf`)).toMatchObject({ status: 422 });
  expect(await at.request('GET', '/api/v1/alerts/nothing/export')).toMatchObject({ status: 404 });
}, 120_000);

it('a dry run is asked for over HTTP', async () => {
  const { running: at } = await start();
  const threshold = { kind: 'static', value: 1000 };
  const setting = { enabled: true, severity: null, forMs: 0, keepFiringMs: 0, threshold };
  const params = new URLSearchParams({ code: 'long-hold', setting: JSON.stringify(setting) });
  const run = await at.get<DryRun>(`/rules/dry-run?${params}`);
  expect(DryRun.parse(run)).toMatchObject({ code: 'long-hold', fired: 0 });
}, 120_000);
