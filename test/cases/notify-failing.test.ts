import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookBody } from '@/lib/protocol/notify';
import { startReceiver, type Receiver } from '@/test/server/notify/receiver';
import { firing, resolved } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_NO_EXPIRY_MS: '200' } });
const PATIENCE_MS = 90_000;
/** What was refused once is tried again after 5 s, a fifth more or less. */
const FAILS_FOR_MS = 20_000;
const reason = 'somebody must hear of it';

let receivers: Receiver[] = [];
beforeEach(() => {
  receivers = [];
});
afterEach(async () => {
  for (const each of receivers) await each.stop();
});

async function aReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

async function post<T>(path: string, body: object): Promise<T> {
  const answer = await at.console.request<T>('POST', `/api/v1/${path}`, { body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

async function channelTo({ url }: Receiver, name: string): Promise<string> {
  const settings = { kind: 'webhook', url, secret: 'a-secret-for-signatures' };
  const { channel } = await post<{ channel: { id: string } }>('notify/channels', {
    ...{ name, settings, reason },
  });
  return channel.id;
}

const codesOf = ({ received }: Receiver): (string | undefined)[] =>
  received.flatMap(({ body }) => WebhookBody.parse(body).notices.map(({ alert }) => alert?.code));
const failing = async (name: string) =>
  (await at.console.query('notify')).channels.find((channel) => channel.name === name)?.failing;

describe('a channel', () => {
  it('that fails for as long as its rule says is an alert, by the others, and not one that failed once', async () => {
    const [works, flaky, down] = [await aReceiver(), await aReceiver(), await aReceiver()];
    flaky.answer({ status: 500 }, { status: 200 });
    down.answer({ status: 503, text: 'out for lunch' });
    const channels = [
      await channelTo(works, 'works'),
      await channelTo(flaky, 'flaky'),
      await channelTo(down, 'down'),
    ];
    const route = { least: 'warning', namespaces: [], channels, resolved: true };
    await post('notify/routes', { routes: [{ id: 'all', ...route }], reason });
    await post('rules', {
      ...{ code: 'notify-failing', class: null, reason },
      setting: {
        ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
        threshold: { kind: 'static', value: FAILS_FOR_MS },
      },
    });
    await at.client.set('lock:told', 'a-holder');
    for (const name of ['flaky', 'down']) {
      await until(`${name} failed`, () => failing(name), PATIENCE_MS);
    }
    expect(await at.console.alerts('notify-failing')).toEqual([]);
    await until('it is tried again', async () => (await failing('flaky')) === null, PATIENCE_MS);
    const { summary, severity, since } = await firing(
      at.console,
      'notify-failing',
      'down',
      PATIENCE_MS,
    );
    expect(severity).toBe('warning');
    expect(summary).toContain(`${down.host} answered 503: out for lunch`);
    expect((await failing('down'))?.since).toBe(since);
    const labels = (await at.console.alerts('notify-failing')).map(({ subject }) => subject.label);
    expect(labels).toEqual(['down']);
    await until(
      'the others hear of it',
      () => [works, flaky].every((each) => codesOf(each).includes('notify-failing')),
      PATIENCE_MS,
    );
    down.answer({ status: 200 });
    await post(`notify/channels/${channels[2]}/test`, {});
    await resolved(at.console, 'notify-failing', 'down');
  }, 240_000);
});
