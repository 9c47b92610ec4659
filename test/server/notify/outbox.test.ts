import { describe, expect, it } from 'vitest';
import { WebhookBody } from '@/lib/protocol/notify';
import { START } from '@/test/support/records';
import { until } from '@/test/support/until';
import { aNotifier, anAlert, aReceiver, aRoute, resolved, type Told } from './notifier-under-test';
import type { Receiver } from './receiver';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const eventsOf = (receiver: Receiver): string[] =>
  receiver.received.flatMap(({ body }) =>
    WebhookBody.parse(body).notices.map(({ event, alert }) => `${event} ${alert?.id ?? ''}`),
  );
const idsOf = (receiver: Receiver): string[] =>
  receiver.received.map(({ body }) => WebhookBody.parse(body).id);

async function toldByWebhook(): Promise<{ told: Told; receiver: Receiver }> {
  const [told, receiver] = [await aNotifier(), await aReceiver()];
  await told.routeAll(await told.channel({ kind: 'webhook', url: receiver.url }));
  return { told, receiver };
}

describe('an alert that fires', () => {
  it('is told once, and once more when it is resolved', async () => {
    const { told, receiver } = await toldByWebhook();
    const alert = anAlert('a');
    await told.note(alert);
    await told.note({ ...alert, count: 2 });
    await told.turn();
    await told.note({ ...alert, count: 3 });
    await told.turn();
    await told.note(resolved(alert, START + MINUTE));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a', 'resolved a']);
    expect(new Set(idsOf(receiver)).size).toBe(2);
  });

  it.each([
    ['pending', { state: 'pending' }],
    ['silenced', { state: 'silenced', silencedUntil: START + HOUR }],
    ['acknowledged', { state: 'acknowledged', acknowledgedBy: 'mara@example.org' }],
    ['in doubt', { doubtful: { code: 'blind', since: START } }],
  ] as const)('is told nobody while it is %s, and is once it fires', async (_, over) => {
    const { told, receiver } = await toldByWebhook();
    await told.note(anAlert('a', over));
    await told.turn();
    expect(receiver.received).toEqual([]);
    await told.note(anAlert('a'));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a']);
  });

  it('and is resolved before it could be told is told neither time', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 500 }, { status: 200 });
    await told.note(anAlert('a'));
    await told.turn();
    await told.note(resolved(anAlert('a'), START + SECOND), anAlert('b'));
    await told.after(MINUTE);
    expect(eventsOf(receiver)).toEqual(['firing a', 'firing b']);
    expect(await told.store.dueNotices(10)).toEqual([]);
  });

  it('and may have arrived although no answer came is told as resolved too', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 504 }, { status: 200 });
    await told.note(anAlert('a'));
    await told.turn();
    await told.note(resolved(anAlert('a'), START + SECOND));
    await told.after(MINUTE);
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a', 'firing a', 'resolved a']);
  });

  it('comes back after it was told as resolved, and is told anew', async () => {
    const { told, receiver } = await toldByWebhook();
    const alert = anAlert('a');
    for (const each of [alert, resolved(alert, START + SECOND), alert]) {
      await told.note(each);
      await told.turn();
    }
    expect(eventsOf(receiver)).toEqual(['firing a', 'resolved a', 'firing a']);
    expect(new Set(idsOf(receiver)).size).toBe(3);
  });

  it('comes back before its end was told, and nobody hears of the end', async () => {
    const { told, receiver } = await toldByWebhook();
    await told.note(anAlert('a'));
    await told.turn();
    await told.note(resolved(anAlert('a'), START + SECOND));
    await told.note(anAlert('a'));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a']);
  });

  it('is silenced while its notice waits, and told when the silence ends', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 503 }, { status: 200 });
    await told.note(anAlert('a'));
    await told.turn();
    told.open.set('a', anAlert('a', { state: 'silenced', silencedUntil: START + HOUR }));
    await told.after(MINUTE);
    expect(receiver.received).toHaveLength(1);
    await told.note(anAlert('a'));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a', 'firing a']);
  });
});

describe('a receiver that fails', () => {
  it('is tried again, the same id, with growing pauses', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 500 });
    await told.note(anAlert('a'));
    await told.turn();
    for (const pause of [5, 10, 20, 40, 80]) {
      const before = receiver.received.length;
      await told.after(pause * SECOND - 1);
      expect(receiver.received).toHaveLength(before);
      await told.after(1);
      expect(receiver.received).toHaveLength(before + 1);
    }
    expect(new Set(idsOf(receiver)).size).toBe(1);
    receiver.answer({ status: 200 });
    await told.after(15 * MINUTE);
    expect(await told.store.dueNotices(10)).toEqual([]);
    expect(await told.notifier.deliveries(10)).toMatchObject([
      { attempts: 7, error: null, nextAt: null, deliveredAt: told.clock.at },
    ]);
  });

  it('is given up after a day, which is said', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 500, text: 'database away' });
    await told.note(anAlert('a'));
    await told.turn();
    await told.after(24 * HOUR);
    const [delivery] = await told.notifier.deliveries(1);
    expect(delivery).toMatchObject({ nextAt: null, deliveredAt: null });
    expect(delivery?.error).toMatch(/^Given up after .+ answered 500: database away/);
    const events = await told.store.alertEvents({ alert: 'a', limit: 10 });
    expect(events.map(({ kind }) => kind)).toEqual(['notify-failed', 'notify-failed']);
    expect(events[1]?.text).toMatch(/^ops was not told: Given up/);
  });

  it.each([400, 401, 403, 404, 410, 422])('with %i is not asked again', async (status) => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status, text: 'no\r\nsuch <b>thing' });
    await told.note(anAlert('a'));
    await told.turn();
    await told.after(HOUR);
    expect(receiver.received).toHaveLength(1);
    const error = `${receiver.host} answered ${status}: no such <b>thing`;
    expect(await told.notifier.deliveries(1)).toMatchObject([{ error, nextAt: null }]);
  });

  it.each([
    ['seconds', '120'],
    ['a date', new Date(Date.now() + 200_000).toUTCString()],
  ])('is left alone as long as it asks, in %s', async (_, asked) => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 429, headers: { 'retry-after': asked } }, { status: 200 });
    await told.note(anAlert('a'));
    await told.turn();
    await told.after(30 * SECOND);
    expect(receiver.received).toHaveLength(1);
    await told.after(5 * MINUTE);
    expect(receiver.received).toHaveLength(2);
  });

  it('does not lead anywhere else by a redirect', async () => {
    const { told, receiver } = await toldByWebhook();
    const elsewhere = await aReceiver();
    receiver.answer({ status: 307, headers: { location: elsewhere.url } });
    await told.note(anAlert('a'));
    await told.turn();
    expect(elsewhere.received).toEqual([]);
    expect((await told.notifier.deliveries(1))[0]?.error).toMatch(/307, a redirect/);
  });

  it('that hangs or is away holds up no other channel', async () => {
    const told = await aNotifier();
    const [hangs, works] = [await aReceiver(), await aReceiver()];
    hangs.answer('hang');
    const gone = await aReceiver();
    await gone.stop();
    const channels = [];
    for (const { url } of [hangs, gone, works]) {
      channels.push(await told.channel({ kind: 'webhook', url }));
    }
    channels.push(await told.channel({ kind: 'webhook', url: 'http://no-such.invalid/' }, 'typo'));
    await told.routeAll(...channels);
    await told.note(anAlert('a'));
    await told.notifier.turn();
    await until('the one that works is told', () => works.received.length > 0);
    expect(told.notifier.channels()[0]?.failing).toBeNull();
    await told.notifier.settled();
    const errors = told.notifier.channels().map(({ failing }) => failing?.error ?? null);
    expect(errors).toEqual([
      `${hangs.host} did not answer within 10 s.`,
      `Nobody listens at ${gone.host} (ECONNREFUSED).`,
      null,
      expect.stringMatching(/^The name no-such.invalid cannot be resolved/),
    ]);
  }, 40_000);

  it('is read no further than is told', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 400, text: 'x'.repeat(5_000_000) });
    await told.note(anAlert('a'));
    await told.turn();
    expect((await told.notifier.deliveries(1))[0]?.error?.length).toBeLessThan(300);
  });

  it('for five minutes is an alert of its own, until it works again', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 500 });
    await told.note(anAlert('a'));
    await told.turn();
    await told.after(5 * MINUTE - 1);
    expect(told.notifier.findings(told.clock.at)).toEqual([]);
    told.clock.at += 1;
    expect(told.notifier.findings(told.clock.at)).toMatchObject([
      { code: 'notify-failing', since: START, subject: { label: 'ops' } },
    ]);
    receiver.answer({ status: 200 });
    await told.after(HOUR);
    expect(told.notifier.findings(told.clock.at)).toEqual([]);
  });
});

describe('a console that was killed', () => {
  it('tells what it had not told, with the same id, and nothing twice', async () => {
    const { told, receiver } = await toldByWebhook();
    await told.note(anAlert('told'));
    await told.turn();
    receiver.answer({ status: 503 }, { status: 200 });
    await told.note(anAlert('waits'));
    await told.turn();
    const after = await told.again();
    await after.after(HOUR);
    expect(eventsOf(receiver)).toEqual(['firing told', 'firing waits', 'firing waits']);
    const [, first, second] = idsOf(receiver);
    expect(second).toBe(first);
    expect(after.notifier.channels()[0]).toMatchObject({ failing: null, waiting: 0 });
  });

  it('between saving an alert and noting it loses nothing', async () => {
    const { told, receiver } = await toldByWebhook();
    await told.note(anAlert('ends'));
    await told.turn();
    const ended = resolved(anAlert('ends'), START + SECOND);
    await told.store.saveAlerts([anAlert('new'), ended]);
    told.open.delete('ends');
    told.open.set('new', anAlert('new'));
    await (await told.again()).after(SECOND);
    await (await told.again()).after(SECOND);
    expect(eventsOf(receiver).toSorted()).toEqual(['firing ends', 'firing new', 'resolved ends']);
  });

  it('while it sent tells it again, and its end as well', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer('hang');
    await told.note(anAlert('a'));
    await told.notifier.turn();
    await until('it is being sent', () => receiver.received.length > 0);
    receiver.answer({ status: 200 });
    told.open.delete('a');
    await told.store.saveAlerts([resolved(anAlert('a'), START + SECOND)]);
    const after = await told.again();
    await after.turn();
    await after.turn();
    expect(eventsOf(receiver)).toEqual(['firing a', 'firing a', 'resolved a']);
    await told.notifier.stop();
  });

  it('remembers which channel fails', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 500 });
    await told.note(anAlert('a'));
    await told.turn();
    const after = await told.again();
    expect(after.notifier.channels()[0]?.failing).toEqual({
      since: START,
      error: `${receiver.host} answered 500.`,
    });
  });
});

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

describe('a store that is broken', () => {
  it('is told of all the same', async () => {
    const { told, receiver } = await toldByWebhook();
    await told.store.stop();
    await told.notifier.note([anAlert('store-broken', { code: 'store-broken' })]);
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing store-broken']);
    await told.store.start();
    await told.turn();
    expect(await told.notifier.deliveries(5)).toMatchObject([{ alert: 'store-broken' }]);
  });
});
