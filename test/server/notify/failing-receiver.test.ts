import { describe, expect, it } from 'vitest';
import { START } from '@/test/support/records';
import { until } from '@/test/support/until';
import { aNotifier, anAlert, aReceiver } from './notifier-under-test';
import { eventsOf, idsOf, toldByWebhook } from './webhook-told';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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
    ['seconds', () => '120'],
    ['a date', () => new Date(Date.now() + 200_000).toUTCString()],
  ])('is left alone as long as it asks, in %s', async (_, asked) => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 429, headers: { 'retry-after': asked() } }, { status: 200 });
    await told.note(anAlert('a'));
    await told.turn();
    await told.after(30 * SECOND);
    expect(receiver.received).toHaveLength(1);
    await told.after(5 * MINUTE);
    expect(receiver.received).toHaveLength(2);
  });

  it('that wants to speak something else than HTTP is told nothing, and holds up nothing', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer({ status: 101, headers: { connection: 'upgrade', upgrade: 'websocket' } });
    await told.note(anAlert('a'));
    await told.turn();
    const error = `${receiver.host} answered 101.`;
    expect(await told.notifier.deliveries(1)).toMatchObject([{ error, nextAt: null }]);
    receiver.answer({ status: 200 });
    await told.note(anAlert('b'));
    await told.turn();
    expect(eventsOf(receiver)).toEqual(['firing a', 'firing b']);
  });

  it('that is removed while it is being told is not tried again', async () => {
    const { told, receiver } = await toldByWebhook();
    receiver.answer('hang');
    await told.note(anAlert('a'));
    await told.notifier.turn();
    await until('it is being told', () => receiver.received.length > 0);
    const [channel] = told.notifier.channels();
    await told.notifier.removeChannel(channel?.id ?? '');
    receiver.cut();
    await until('the attempt has ended', async () => {
      await told.notifier.turn();
      const events = await told.store.alertEvents({ alert: 'a', limit: 10 });
      return events.some(({ kind }) => kind === 'notify-failed');
    });
    expect(await told.store.dueNotices(10)).toEqual([]);
    const error = 'The channel was removed.';
    expect(await told.notifier.deliveries(1)).toMatchObject([{ error, nextAt: null }]);
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
  });

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
