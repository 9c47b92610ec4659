import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alert, AlertDetail } from '@/lib/protocol/alert';
import { runAction } from '@/server/actions/run-action';
import { createAlertBook } from '@/server/alerts';
import { ask } from '@/test/server/queries/ask';
import {
  addressOf,
  startServer,
  TARGET,
  type TestServer,
} from '@/test/server/queries/server-under-test';
import { aFinding } from '@/test/support/records';
import { until } from '@/test/support/until';

const HOUR_MS = 3_600_000;
const PATIENCE_MS = 60_000;
const reason = 'tried out by a test';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const setting = { enabled: true, severity: null, forMs: 0, keepFiringMs: 0 };
  const threshold = { kind: 'static', value: 200 };
  const input = { code: 'long-hold', setting: { ...setting, threshold }, reason };
  await runAction(server.as('admin'), 'rule.save', input);
});
afterAll(() => server.stop());

const openOf = (label: string): Alert | undefined =>
  server.context.alerts.open().find(({ subject }) => subject.label === label);

async function fired(key: string): Promise<Alert> {
  await server.client.set(key, 'A', 'PX', HOUR_MS);
  return await until(`an alert of ${key}`, () => openOf(key) ?? null, PATIENCE_MS);
}

const detailOf = (id: string): Promise<AlertDetail> => ask(server.as('viewer'), 'alert', { id });

describe('an alert', () => {
  it('has each line of its timeline, also one that is saved while the store is asked', async () => {
    const alerts = createAlertBook({ target: TARGET });
    const [alert] = alerts.update([aFinding('saved meanwhile')], Date.now());
    const store = {
      ...server.context.store,
      // As the store had it when it was asked.
      alertEvents: async () => {
        alerts.forgetEvents(alerts.unsavedEvents());
        return await Promise.resolve([]);
      },
    };
    const context = { ...server.as('viewer'), alerts, store };
    const { events } = await ask(context, 'alert', { id: alert?.id ?? '' });
    expect(events.map(({ kind }) => kind)).toEqual(['fired']);
  });

  it('is told with what was seen, who did what to it and to its locks, and how it ended', async () => {
    const { id } = await fired('inv:story');
    const operator = server.as('operator');
    await runAction(operator, 'alert.acknowledge', { id, reason });
    const { hold } = await server.lock('inv:story');
    const release = { ...addressOf('inv:story'), version: hold?.version, reason: 'it hangs' };
    await runAction(operator, 'lock.release', release);
    await until('it is over', () => openOf('inv:story') === undefined, PATIENCE_MS);
    const { alert, events, isCut } = await until(
      'all of it is told',
      async () => {
        const detail = await detailOf(id);
        return detail.events.some(({ kind }) => kind === 'resolved') ? detail : null;
      },
      PATIENCE_MS,
    );
    expect(alert).toMatchObject({ id, state: 'resolved', acknowledgedBy: operator.actor.name });
    expect(isCut).toBe(false);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
    // On a slow machine the hold lasts for so long that its alert becomes a critical one.
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'changed');
    expect(kinds.toSorted()).toEqual(['acknowledged', 'acted', 'fired', 'resolved']);
    expect(events.find(({ kind }) => kind === 'acted')).toMatchObject({
      actor: operator.actor.name,
      text: expect.stringMatching(/lock\.release of inv:story, done \(reason: it hangs\)/),
    });
  });

  it('is told with what it cost: how long its locks were held, and lost', async () => {
    const { id } = await fired('inv:cost');
    const { impact } = await until(
      'history knows of it',
      async () => {
        const detail = await detailOf(id);
        return (detail.impact?.heldMs ?? 0) > 0 ? detail : null;
      },
      PATIENCE_MS,
    );
    expect(impact).toMatchObject({ acquisitions: 1, lost: 0 });
  });

  it('is not told of where there is none of its id', async () => {
    await expect(detailOf('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is in doubt while Redis tells of no events, does not resolve, and is certain afterwards', async () => {
    const { id } = await fired('inv:doubt');
    await server.client.config('SET', 'notify-keyspace-events', '');
    const doubtful = await until(
      'it is doubtful',
      () => server.context.alerts.get(id)?.doubtful ?? null,
      PATIENCE_MS,
    );
    expect(doubtful.code).toBe('blind');
    expect(server.context.alerts.get(id)?.state).toBe('firing');
    await server.client.config('SET', 'notify-keyspace-events', 'KEAn');
    await until(
      'it is certain',
      () => server.context.alerts.get(id)?.doubtful === null,
      PATIENCE_MS,
    );
    expect(server.context.alerts.get(id)?.state).toBe('firing');
    const { events } = await until(
      'both are told',
      async () => {
        const detail = await detailOf(id);
        return detail.events.some(({ kind }) => kind === 'certain') ? detail : null;
      },
      PATIENCE_MS,
    );
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'changed');
    expect(kinds).toEqual(['fired', 'doubtful', 'certain']);
  }, 150_000);
});
