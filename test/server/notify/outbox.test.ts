import { describe, expect, it } from 'vitest';
import { START } from '@/test/support/records';
import { until } from '@/test/support/until';
import { anAlert, resolved } from './notifier-under-test';
import { eventsOf, idsOf, toldByWebhook } from './webhook-told';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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
