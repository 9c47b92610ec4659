import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionInput, ActionName, ActionResult } from '@/lib/protocol/actions';
import type { Alert, AlertCode } from '@/lib/protocol/alert';
import type { RuleSetting } from '@/lib/protocol/rules';
import { runAction } from '@/server/actions/run-action';
import { ask } from '@/test/server/queries/ask';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

const HOUR_MS = 3_600_000;
const reason = 'tried out by a test';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** `runAction` answers what its name says; its result is typed for any action. */
const act = async <N extends ActionName>(
  name: N,
  input: ActionInput<N>,
  role: 'viewer' | 'operator' | 'admin' = 'admin',
): Promise<ActionResult<N>> => (await runAction(server.as(role), name, input)) as ActionResult<N>;

const openOf = (label: string, code: AlertCode = 'long-hold'): Alert | undefined =>
  server.context.alerts
    .open()
    .find((alert) => alert.code === code && alert.subject.label === label);

const fired = (label: string, code?: AlertCode): Promise<Alert> =>
  until(`an alert of ${label}`, () => openOf(label, code) ?? null);

const gone = (label: string, code?: AlertCode): Promise<boolean> =>
  until(`no alert of ${label}`, () => openOf(label, code) === undefined);

const longHold = (to: Partial<RuleSetting> = {}): RuleSetting => ({
  ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
  threshold: { kind: 'static', value: 300 },
  ...to,
});

const saveFor = (lockClass: string, setting = longHold()) =>
  act('rule.save', { code: 'long-hold', class: lockClass, setting, reason });

async function hold(key: string): Promise<string> {
  await server.client.set(key, 'A', 'PX', HOUR_MS);
  return (await server.lock(key)).class;
}

describe('a rule', () => {
  it('that is set for a class while the console runs fires for its locks alone, and until it is reset', async () => {
    const lockClass = await hold('inv:rule:1');
    await hold('inv:rule-other:1');
    const { rule } = await saveFor(lockClass);
    expect(rule.classes).toEqual([
      { class: lockClass, setting: longHold(), version: expect.any(Number), usual: null },
    ]);
    expect(await fired('inv:rule:1')).toMatchObject({ state: 'firing', labels: { owner: 'A' } });
    expect(openOf('inv:rule-other:1')).toBeUndefined();
    const { items } = await ask(server.as('viewer'), 'locks', { view: 'long-holds' });
    expect(items.map(({ key }) => key)).toEqual(['inv:rule:1']);
    await act('rule.reset', { code: 'long-hold', class: lockClass, reason });
    await gone('inv:rule:1');
  });

  it('is kept and audited with what was before and after', async () => {
    const setting = longHold({ severity: 'info' });
    await saveFor('audited:*');
    await saveFor('audited:*', setting);
    const documents = await server.context.store.documents('rule');
    expect(documents.map(({ id }) => id)).toContain('long-hold audited:*');
    const { items } = await server.context.store.audit({ limit: 50 });
    expect(
      items.find(({ action, outcome }) => action === 'rule.save' && outcome === 'done'),
    ).toMatchObject({
      reason,
      before: { code: 'long-hold', class: 'audited:*', setting: longHold() },
      after: { code: 'long-hold', class: 'audited:*', setting },
    });
    const { rules } = await ask(server.as('viewer'), 'rules', {});
    expect(rules.find(({ code }) => code === 'long-hold')).toMatchObject({
      changedBy: 'admin@example.org',
    });
  });

  it('is set by an administrator only, and only to what its code can do', async () => {
    const input = { code: 'long-hold', setting: longHold(), reason } as const;
    const forbidden = expect.objectContaining({ code: 'FORBIDDEN' });
    await expect(act('rule.save', input, 'operator')).rejects.toEqual(forbidden);
    await expect(act('rule.reset', input, 'operator')).rejects.toEqual(forbidden);
    const refused = async (code: AlertCode, to: Partial<RuleSetting>, field: string) => {
      const saved = act('rule.save', { code, setting: longHold(to), reason });
      const error = { code: 'INVALID_INPUT', details: { field } };
      await expect(saved).rejects.toMatchObject(error);
    };
    const adaptive = { kind: 'adaptive', factor: 3, least: 0, otherwise: 5 } as const;
    await refused('takeover', {}, 'setting.threshold');
    await refused('takeover', { threshold: null, forMs: 1 }, 'setting.forMs');
    await refused('long-hold', { threshold: null }, 'setting.threshold');
    await refused('waiter-pileup', { threshold: adaptive }, 'setting.threshold');
    await refused('retry-storm', { threshold: { kind: 'static', value: 1 } }, 'setting.threshold');
    const unset = act('rule.reset', { code: 'no-expiry', reason });
    await expect(unset).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has an alert wait, and nobody can look after it before it fires', async () => {
    const lockClass = await hold('inv:waits:1');
    await saveFor(lockClass, longHold({ forMs: HOUR_MS }));
    const { id, state } = await fired('inv:waits:1');
    expect(state).toBe('pending');
    const tried = act('alert.acknowledge', { id, reason }, 'operator');
    await expect(tried).rejects.toMatchObject({ code: 'CONFLICT' });
    await saveFor(lockClass);
    await until('it fires', () => openOf('inv:waits:1')?.state === 'firing');
    await act('rule.reset', { code: 'long-hold', class: lockClass, reason });
    await gone('inv:waits:1');
  });
});

describe('a silence', () => {
  it('keeps alerts quiet until it is ended, by an operator, and is told with what it fits', async () => {
    const lockClass = await hold('inv:quiet:1');
    await saveFor(lockClass);
    await fired('inv:quiet:1');
    const matcher = { class: lockClass };
    const input = { matcher, untilMs: Date.now() + HOUR_MS, reason };
    await expect(act('silence.add', input, 'viewer')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { silence } = await act('silence.add', input, 'operator');
    expect(silence).toMatchObject({ matcher, matching: 1, actor: 'operator@example.org' });
    await until('it is silenced', () => openOf('inv:quiet:1')?.silenceId === silence.id);
    const { silences } = await ask(server.as('viewer'), 'rules', {});
    expect(silences).toMatchObject([{ id: silence.id, matching: 1 }]);
    expect(await server.context.store.documents('silence')).toHaveLength(1);
    await act('silence.end', { id: silence.id, reason }, 'operator');
    await until('it fires', () => openOf('inv:quiet:1')?.state === 'firing');
    expect(await server.context.store.documents('silence')).toEqual([]);
    const again = act('silence.end', { id: silence.id, reason });
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await act('rule.reset', { code: 'long-hold', class: lockClass, reason });
  });

  it('must fit something and end within 30 days', async () => {
    const until_ = Date.now() + HOUR_MS;
    const add = (matcher: object, untilMs: number) =>
      act('silence.add', { matcher, untilMs, reason });
    const any = { glob: '**' };
    const wide = [
      {},
      { class: any },
      { owner: any, key: '*' },
      { key: '*' },
      { key: '***' },
      { code: 'long-hold', clas: 'inv:*' },
    ];
    for (const matcher of wide) {
      await expect(add(matcher, until_)).rejects.toMatchObject({ details: { field: 'matcher' } });
    }
    for (const untilMs of [Date.now() - 1, Date.now() + 31 * 24 * HOUR_MS]) {
      const added = add({ code: 'long-hold' }, untilMs);
      await expect(added).rejects.toMatchObject({ details: { field: 'untilMs' } });
    }
  });

  it('is not for one who may act in one namespace only, unless it is of that one', async () => {
    const context = server.as('operator', { namespaces: ['pay'] });
    const input = { untilMs: Date.now() + HOUR_MS, reason };
    const add = (matcher: object) => runAction(context, 'silence.add', { ...input, matcher });
    await expect(add({ code: 'long-hold' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const namespace of ['inv', { glob: 'pay' }, { glob: 'pay*' }]) {
      await expect(add({ namespace })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(add({ namespace: 'pay' })).resolves.toMatchObject({ silence: { matching: 0 } });
  });
});

describe('alerts', () => {
  it('are acknowledged many at once, with a result for each', async () => {
    const lockClass = await hold('inv:many:1');
    await hold('inv:many:2');
    await saveFor(lockClass);
    const [a, b] = [await fired('inv:many:1'), await fired('inv:many:2')];
    const ids = [a.id, 'nothing', b.id, a.id];
    const { results } = await act('alert.acknowledge-many', { ids, reason }, 'operator');
    expect(results.map(({ id, outcome, code }) => [id, outcome, code])).toEqual([
      [a.id, 'acknowledged', null],
      ['nothing', 'refused', 'NOT_FOUND'],
      [b.id, 'acknowledged', null],
    ]);
    expect(openOf('inv:many:2')).toMatchObject({
      state: 'acknowledged',
      acknowledgedReason: reason,
    });
    const stored = await server.context.store.alert(b.id);
    expect(stored?.acknowledgedBy).toBe('operator@example.org');
  });

  it('are asked for by label, severity and words, and counted by what they share', async () => {
    const lockClass = await hold('inv:asked:1');
    await saveFor(lockClass, longHold({ severity: 'critical' }));
    await fired('inv:asked:1');
    const asked = await ask(server.as('viewer'), 'alerts', { class: lockClass, state: 'open' });
    expect(asked).toMatchObject({
      open: 1,
      items: [{ subject: { label: 'inv:asked:1' }, labels: { class: lockClass } }],
      groups: { code: [{ name: 'long-hold', count: 1 }], owner: [{ name: 'A', count: 1 }] },
    });
    const labelsOf = async (params: Parameters<typeof ask<'alerts'>>[2]) =>
      (await ask(server.as('viewer'), 'alerts', params)).items.map(({ subject }) => subject.label);
    // Of its class alone: on a slow machine others are held for so long that they are critical as well.
    const about = { code: 'long-hold', class: lockClass } as const;
    expect(await labelsOf({ ...about, severity: 'critical' })).toEqual(['inv:asked:1']);
    expect(await labelsOf({ ...about, severity: 'info' })).toEqual([]);
    expect(await labelsOf({ q: ' ASKED:1 ' })).toEqual(['inv:asked:1']);
    expect(await labelsOf({ q: 'asked', owner: 'B' })).toEqual([]);
    expect(await labelsOf({ q: 'asked', namespace: 'inv', node: 'nowhere' })).toEqual([]);
    await act('rule.reset', { code: 'long-hold', class: lockClass, reason });
    await gone('inv:asked:1');
    await until(
      'it is found among the resolved',
      async () => (await labelsOf({ q: 'asked', state: 'resolved' })).length === 1,
    );
  });

  it('that have just ended are told of before their end is saved', async () => {
    await saveFor(await hold('inv:just:1'));
    const { id } = await fired('inv:just:1');
    server.context.alerts.update([], Date.now());
    expect(openOf('inv:just:1')).toBeUndefined();
    const { items } = await ask(server.as('viewer'), 'alerts', { q: 'just' });
    expect(items.map((alert) => alert.id)).toEqual([id]);
  });

  it('that never fired are not told of afterwards', async () => {
    const lockClass = await hold('inv:never:1');
    await saveFor(lockClass, longHold({ forMs: HOUR_MS }));
    const { id } = await fired('inv:never:1');
    await server.client.del('inv:never:1');
    await gone('inv:never:1');
    await until(
      'its end is saved',
      async () => (await server.context.store.alert(id))?.state === 'resolved',
    );
    const { items } = await ask(server.as('viewer'), 'alerts', { q: 'never' });
    expect(items).toEqual([]);
  });
});
