import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '@/server/actions/run-action';
import { notify } from '@/server/queries/notify';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { startReceiver, type Receiver } from '@/test/server/notify/receiver';

const SECRET = 'a-secret-that-nobody-may-read-again';
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

const save = (role: 'viewer' | 'operator' | 'admin', settings: unknown): Promise<unknown> =>
  runAction(server.as(role), 'notify.save-channel', { name: 'ops', settings, reason });

describe('channels and routes', () => {
  it.each(['viewer', 'operator'] as const)('are not a %s’s to change', async (role) => {
    const settings = { kind: 'webhook', url: receiver.url };
    await expect(save(role, settings)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const [action, input] of [
      ['notify.save-routes', { routes: [], reason }],
      ['notify.remove-channel', { id: 'x', reason }],
      ['notify.test', { id: 'x' }],
    ] as const) {
      const refused = runAction(server.as(role), action, input);
      await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(receiver.received).toEqual([]);
  });

  it('are an administrator’s, with an audit that tells who and why and no secret', async () => {
    await save('admin', { kind: 'webhook', url: receiver.url, secret: SECRET });
    const [channel] = server.context.notifier.channels();
    const id = channel?.id ?? '';
    const route = { id: 'all', least: 'info', namespaces: [], channels: [id], resolved: true };
    await runAction(server.as('admin'), 'notify.save-routes', { routes: [route], reason });
    await runAction(server.as('admin'), 'notify.test', { id });
    const { items } = await server.context.store.audit({ limit: 6 });
    expect(items.map(({ action, outcome }) => `${action} ${outcome}`).toReversed()).toEqual([
      'notify.save-channel requested',
      'notify.save-channel done',
      'notify.save-routes requested',
      'notify.save-routes done',
      'notify.test requested',
      'notify.test done',
    ]);
    expect(items.at(-2)).toMatchObject({
      actor: 'admin@example.org',
      reason,
      after: { name: 'ops', kind: 'webhook', destination: receiver.host, hasSecret: true },
    });
    expect(JSON.stringify(items)).not.toContain(SECRET);
  });

  it('show others names and health only', async () => {
    const seen = await notify(server.as('operator'));
    expect(seen).toMatchObject({
      channels: [
        { name: 'ops', kind: 'webhook', settings: null, destination: null, failing: null },
      ],
      routes: [],
      deliveries: [],
    });
    expect((await notify(server.as('admin'))).deliveries).toMatchObject([{ event: 'test' }]);
  });

  it.each([
    ['another scheme', { kind: 'webhook', url: 'file:///etc/passwd' }],
    ['no address', { kind: 'email', host: 'a', port: 25, tls: 'none', from: 'a', to: ['b@c'] }],
    [
      'a header in an address',
      {
        ...{ kind: 'email', host: 'a', port: 25, tls: 'none' },
        ...{ from: 'a@example.org', to: ['b@example.org\r\nBcc: c@example.org'] },
      },
    ],
    [
      'a command in a host',
      {
        ...{ kind: 'email', host: 'a\r\nQUIT', port: 25, tls: 'none' },
        ...{ from: 'a@example.org', to: ['b@example.org'] },
      },
    ],
  ])('take no %s', async (_, settings) => {
    await expect(save('admin', settings)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('are told as missing where they are', async () => {
    const gone = { id: 'gone', reason };
    for (const [action, input] of [
      ['notify.remove-channel', gone],
      ['notify.test', { id: 'gone' }],
    ] as const) {
      const refused = runAction(server.as('admin'), action, input);
      await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
