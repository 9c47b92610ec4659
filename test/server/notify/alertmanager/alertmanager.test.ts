import { afterAll, beforeAll, expect, it } from 'vitest';
import { aNotifier, anAlert, resolved } from '@/test/server/notify/notifier-under-test';
import { startReceiver, type Receiver } from '@/test/server/notify/receiver';
import { until } from '@/test/support/until';
import { startAlertmanager, type Alertmanager } from './server';

let alertmanager: Alertmanager;
let behind: Receiver;
beforeAll(async () => {
  behind = await startReceiver();
  alertmanager = await startAlertmanager(behind.url);
}, 90_000);
afterAll(async () => {
  await alertmanager?.stop();
  await behind?.stop();
});

interface Forwarded {
  status: string;
  alerts: { labels: Record<string, string>; generatorURL: string }[];
}

const forwarded = (): Forwarded[] => behind.received.map(({ body }) => body as Forwarded);

it('Alertmanager itself takes what fires, keeps it for one, and hears of its end', async () => {
  const told = await aNotifier();
  // It judges times by its own clock.
  told.clock.at = Date.now();
  await told.routeAll(await told.channel({ kind: 'alertmanager', url: alertmanager.url }));
  const since = told.clock.at - 60_000;
  await told.note(anAlert('a', { since }));
  await told.turn();
  await told.turn();
  expect(told.notifier.channels()[0]).toMatchObject({ waiting: 0, failing: null });
  const found = await until('it fires', async () => {
    const alerts = await alertmanager.alerts();
    return alerts.length > 0 ? alerts : undefined;
  });
  expect(found).toMatchObject([{ labels: { alertname: 'no-expiry', lockscope_alert: 'a' } }]);
  expect(Date.parse(found[0]?.endsAt ?? '')).toBeGreaterThan(told.clock.at);
  await until('it is forwarded', () => behind.received.length > 0);
  await told.note(resolved(anAlert('a', { since }), Date.now()));
  await told.turn();
  await until('its end is forwarded', () =>
    forwarded().some(({ status }) => status === 'resolved'),
  );
  expect(
    new Set(forwarded().flatMap(({ alerts }) => alerts.map((each) => each.generatorURL))).size,
  ).toBe(1);
});

it('Alertmanager itself takes a test, and says why it takes nothing else', async () => {
  const told = await aNotifier();
  told.clock.at = Date.now();
  const { id } = await told.channel({ kind: 'alertmanager', url: alertmanager.url });
  expect(await told.notifier.test(id)).toMatchObject({ delivered: true });
  const wrong = await told.channel({ kind: 'webhook', url: `${alertmanager.url}/api/v2/alerts` });
  expect(await told.notifier.test(wrong.id)).toMatchObject({
    delivered: false,
    message: expect.stringMatching(/answered 400: /),
  });
});
