import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionInput, ActionName } from '@/lib/protocol/actions';
import type { RuleSetting } from '@/lib/protocol/rules';
import { runAction } from '@/server/actions/run-action';
import { ask } from '@/test/server/queries/ask';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';

const reason = 'tried by two people';
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const act = <N extends ActionName>(who: string, action: N, input: ActionInput<N>) =>
  runAction(server.as('admin', { name: who }), action, input);
const startingAfter = (value: number): RuleSetting => ({
  ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
  threshold: { kind: 'static', value },
});
const ruleNow = async () => {
  const { rules } = await ask(server.as('viewer'), 'rules', {});
  const rule = rules.find(({ code }) => code === 'no-expiry');
  if (!rule) throw new Error('there is no such rule');
  return rule;
};
const notifyNow = () => ask(server.as('admin'), 'notify', {});
const byAda = { changedBy: 'ada', changedAt: expect.any(Number) };
const conflict = (details: object) => ({ code: 'CONFLICT', details });

describe('a rule', () => {
  const code = 'no-expiry' as const;
  const save = (who: string, value: number, version?: number | null, lockClass?: string) =>
    act(who, 'rule.save', {
      ...{ code, setting: startingAfter(value), reason },
      ...(lockClass !== undefined && { class: lockClass }),
      ...(version !== undefined && { version }),
    });

  it('is refused where somebody set it since, and says who and when', async () => {
    const { version } = await ruleNow();
    expect(version).toBeNull();
    await save('ada', 5000, version);
    const there = (await ruleNow()).version;
    const late = save('ben', 7000, version);
    await expect(late).rejects.toMatchObject(conflict({ ...byAda, version: there }));
    await expect(late).rejects.toThrow(/^ada changed it meanwhile, at \d\d:\d\d:\d\d UTC\./);
    expect((await ruleNow()).setting).toEqual(startingAfter(5000));
    await save('ben', 7000, there);
    expect((await ruleNow()).setting).toEqual(startingAfter(7000));
  });

  it('is refused as an exception that somebody else added or took back meanwhile', async () => {
    await save('ada', 900, null, 'inv:*');
    await expect(save('ben', 800, null, 'inv:*')).rejects.toMatchObject(conflict(byAda));
    const version = (await ruleNow()).classes.find(({ class: of }) => of === 'inv:*')?.version;
    await act('ada', 'rule.reset', { code, class: 'inv:*', version: version ?? null, reason });
    const gone = conflict({ ...byAda, version: null });
    const late = save('ben', 800, version, 'inv:*');
    await expect(late).rejects.toMatchObject(gone);
    await expect(late).rejects.toThrow(/^ada took it back meanwhile, at \d\d:\d\d:\d\d UTC\./);
    const reset = act('ben', 'rule.reset', { code, class: 'inv:*', version: version ?? 0, reason });
    await expect(reset).rejects.toMatchObject(gone);
  });

  it('is not gone back to the standard of where somebody changed it since', async () => {
    const { version } = await ruleNow();
    await save('ada', 4000, version);
    const reset = act('ben', 'rule.reset', { code, version, reason });
    await expect(reset).rejects.toMatchObject(conflict(byAda));
    expect((await ruleNow()).setting).toEqual(startingAfter(4000));
  });

  it('is changed without a version as before', async () => {
    await save('ada', 3000);
    await save('ben', 2000);
    expect((await ruleNow()).setting).toEqual(startingAfter(2000));
  });
});

describe('channels and routes', () => {
  const settings = { kind: 'webhook', url: 'http://127.0.0.1:9/hook' } as const;
  const save = (who: string, name: string, over: { id?: string; version?: number | null } = {}) =>
    act(who, 'notify.save-channel', { name, settings, reason, ...over });

  it('are refused where somebody changed the channel since', async () => {
    await save('ada', 'ops');
    const [channel] = (await notifyNow()).channels;
    const { id = '', version = 0 } = channel ?? {};
    await save('ada', 'ops at night', { id, version });
    const late = save('ben', 'ops by day', { id, version });
    await expect(late).rejects.toMatchObject(conflict(byAda));
    const removal = act('ben', 'notify.remove-channel', { id, version, reason });
    await expect(removal).rejects.toMatchObject(conflict(byAda));
    const [now] = (await notifyNow()).channels;
    expect(now?.name).toBe('ops at night');
    await save('ben', 'ops by day', { id, version: now?.version ?? 0 });
    await save('ben', 'ops');
  });

  it('are refused where somebody removed the channel since, and says who', async () => {
    await save('ada', 'short-lived');
    const channel = (await notifyNow()).channels.find(({ name }) => name === 'short-lived');
    const { id = '', version = 0 } = channel ?? {};
    await act('ada', 'notify.remove-channel', { id, version, reason });
    const gone = conflict({ ...byAda, version: null });
    await expect(save('ben', 'longer', { id, version })).rejects.toMatchObject(gone);
    const removal = act('ben', 'notify.remove-channel', { id, version, reason });
    await expect(removal).rejects.toMatchObject(gone);
    await expect(removal).rejects.toThrow('ada took it back meanwhile');
    const without = act('ben', 'notify.remove-channel', { id, reason });
    await expect(without).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are refused where somebody changed the routes since', async () => {
    const { channels, routesVersion } = await notifyNow();
    const route = (least: 'info' | 'critical') => ({
      ...{ id: 'all', least, namespaces: [], resolved: true },
      channels: [channels[0]?.id ?? ''],
    });
    const saveRoutes = (who: string, least: 'info' | 'critical', version?: number | null) =>
      act(who, 'notify.save-routes', {
        ...{ routes: [route(least)], reason },
        ...(version !== undefined && { version }),
      });
    await saveRoutes('ada', 'info', routesVersion);
    const there = (await notifyNow()).routesVersion;
    const late = saveRoutes('ben', 'critical', routesVersion);
    await expect(late).rejects.toMatchObject(conflict({ ...byAda, version: there }));
    await saveRoutes('ben', 'critical', there);
    expect((await notifyNow()).routes).toEqual([route('critical')]);
    await saveRoutes('ada', 'info');
    expect((await notifyNow()).routes).toEqual([route('info')]);
  });

  it('leave the routes alone where the channel is not removed', async () => {
    const { channels, routes } = await notifyNow();
    const [channel] = channels;
    const removal = act('ben', 'notify.remove-channel', {
      ...{ id: channel?.id ?? '', version: (channel?.version ?? 0) + 1, reason },
    });
    await expect(removal).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await notifyNow()).routes).toEqual(routes);
  });
});
