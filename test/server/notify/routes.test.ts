import { describe, expect, it } from 'vitest';
import { WebhookBody } from '@/lib/protocol/notify';
import { START } from '@/test/support/records';
import { aNotifier, anAlert, aReceiver, aRoute, resolved } from './notifier-under-test';
import { eventsOf, toldByWebhook } from './webhook-told';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('routes', () => {
  it('lead by severity and namespace, tell each channel once, and the end where they say so', async () => {
    const told = await aNotifier();
    const receivers = [await aReceiver(), await aReceiver(), await aReceiver()];
    const [all, critical, orders] = await Promise.all(
      receivers.map(({ url }) => told.channel({ kind: 'webhook', url })),
    );
    const id = (channel: { id: string } | undefined): string => channel?.id ?? '';
    await told.notifier.saveRoutes([
      aRoute({ channels: [id(all)], resolved: false }),
      aRoute({ id: 'again', channels: [id(all)], resolved: false }),
      aRoute({ id: 'critical', least: 'critical', channels: [id(critical)] }),
      aRoute({ id: 'orders', namespaces: ['order'], channels: [id(orders)] }),
    ]);
    const alerts = [
      anAlert('order'),
      anAlert('stock', {
        severity: 'warning',
        labels: { class: null, namespace: 'stock', owner: null, node: null },
      }),
      anAlert('none', {
        severity: 'info',
        labels: { class: null, namespace: null, owner: null, node: null },
      }),
    ];
    await told.note(...alerts);
    for (let i = 0; i < 3; i++) await told.turn();
    await told.note(...alerts.map((alert) => resolved(alert, START + SECOND)));
    for (let i = 0; i < 3; i++) await told.turn();
    expect(receivers.map((receiver) => eventsOf(receiver).toSorted())).toEqual([
      ['firing none', 'firing order', 'firing stock'],
      ['firing order', 'resolved order'],
      ['firing order', 'resolved order'],
    ]);
  });

  it('lead by patterns of namespaces, and by names that look like one exactly', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const channel = await told.channel({ kind: 'webhook', url: receiver.url });
    const channels = [channel.id];
    await told.notifier.saveRoutes([
      aRoute({ namespaces: ['sto?k', { glob: 'pay*' }, { glob: '*-[ab]' }], channels }),
    ]);
    const of = (namespace: string | null) =>
      anAlert(`${namespace}`, { labels: { class: null, namespace, owner: null, node: null } });
    const all = ['sto?k', 'stock', 'payments', 'repay', 'blue-a', 'blue-c', null];
    await told.note(...all.map(of));
    for (let i = 0; i < 4; i++) await told.turn();
    const events = ['firing blue-a', 'firing payments', 'firing sto?k'];
    expect(eventsOf(receiver).toSorted()).toEqual(events);
  });

  it('tell an alert that becomes worse to whom it leads then', async () => {
    const { told, receiver } = await toldByWebhook();
    const [channel] = told.notifier.channels();
    const channels = [channel?.id ?? ''];
    await told.notifier.saveRoutes([aRoute({ least: 'critical', channels })]);
    await told.note(anAlert('a', { severity: 'warning' }));
    await told.turn();
    expect(receiver.received).toEqual([]);
    await told.note(anAlert('a'));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a']);
  });

  it('tell the end to whom they led when it fired, also when it became less severe', async () => {
    const { told, receiver } = await toldByWebhook();
    const channels = told.notifier.channels().map(({ id }) => id);
    await told.notifier.saveRoutes([aRoute({ least: 'critical', channels })]);
    await told.note(anAlert('a'));
    await told.turn();
    const milder = anAlert('a', { severity: 'warning' });
    await told.note(milder);
    await told.note(resolved(milder, START + SECOND));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a', 'resolved a']);
  });

  it('that are set tell what fires already, and lead to no channel that is not there', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const channel = await told.channel({ kind: 'webhook', url: receiver.url });
    await told.note(anAlert('a'));
    await told.turn();
    expect(receiver.received).toEqual([]);
    await told.routeAll(channel);
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a']);
    await expect(told.notifier.saveRoutes([aRoute({ channels: ['gone'] })])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('lose a channel that is removed, and what waited for it is told nobody', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 503 });
    await told.note(anAlert('a'));
    await told.turn();
    const [channel] = told.notifier.channels();
    await told.notifier.removeChannel(channel?.id ?? '');
    await told.after(HOUR);
    expect(receiver.received).toHaveLength(1);
    expect(told.notifier.routes()).toEqual([]);
    const [delivery] = await told.notifier.deliveries(1);
    expect(delivery).toMatchObject({ nextAt: null, error: 'The channel was removed.' });
  });
});

describe('a storm', () => {
  it('of more than twenty notices in a minute is told together, and how many', async () => {
    const { told, receiver } = await toldByWebhook();
    await told.note(...Array.from({ length: 150 }, (_, i) => anAlert(`a${i}`)));
    await told.turn();
    expect(receiver.received).toHaveLength(1);
    expect(WebhookBody.parse(receiver.received[0]?.body).count).toBe(150);
    expect(await told.store.dueNotices(1)).toEqual([]);
    await told.note(anAlert('b1'));
    await told.turn();
    await told.note(anAlert('b2'));
    await told.turn();
    expect(receiver.received).toHaveLength(1);
    await told.after(10 * SECOND);
    expect(eventsOf(receiver).slice(150)).toEqual(['firing b1', 'firing b2']);
    await told.after(2 * MINUTE);
    await told.note(anAlert('c1'), anAlert('c2'));
    await told.turn();
    expect(receiver.received).toHaveLength(3);
  });
});
