import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebhookBody } from '@/lib/protocol/notify';
import { runAction } from '@/server/actions/run-action';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';
import { startReceiver, type Receiver } from './receiver';

const reason = 'people must hear of it';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  [server, receiver] = await Promise.all([startServer(), startReceiver()]);
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const toldOf = (code: string) =>
  receiver.received
    .flatMap(({ body }) => WebhookBody.parse(body).notices)
    .filter(({ alert }) => alert?.code === code);

it('an alert goes from its finding to the channel, and a line to its timeline', async () => {
  const { notifier, store } = server.context;
  const settings = { kind: 'webhook', url: receiver.url };
  await runAction(server.as('admin'), 'notify.save-channel', { name: 'ops', settings, reason });
  const channels = notifier.channels().map(({ id }) => id);
  const route = { id: 'all', least: 'info', namespaces: [], channels, resolved: true };
  await runAction(server.as('admin'), 'notify.save-routes', { routes: [route], reason });
  server.context.analysis.note({
    ...{ id: 'asked', code: 'empty-key', severity: 'warning', count: 1, evidence: 'observed' },
    subject: { kind: 'target', label: 'main', locks: [], deadlockId: null },
    ...{ summary: [], remedy: [], since: server.context.now(), moment: true },
  });
  await until('it is told', () => toldOf('empty-key').length > 0);
  expect(toldOf('empty-key')).toMatchObject([{ event: 'firing' }]);
  const alert = toldOf('empty-key')[0]?.alert?.id ?? '';
  const told = await until('its timeline tells of it', async () => {
    const events = await store.alertEvents({ alert, limit: 100 });
    return events.find(({ kind }) => kind === 'notified');
  });
  expect(told.text).toBe('Told ops: firing.');
});
