import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WebhookBody } from '@/lib/protocol/notify';
import { START } from '@/test/support/records';
import { aNotifier, anAlert, aReceiver, PUBLIC_URL, resolved } from './notifier-under-test';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What a key must not do to whom it is shown. */
const HOSTILE = 'job<!channel>&<b>*x*</b> @here\\x0d\\x0aBcc: x@y.z';
const hostile = anAlert('h', {
  subject: { kind: 'lock', label: HOSTILE, locks: [], deadlockId: null },
  summary: `held by <script>alert(1)</script>\r\nX-Evil: yes`,
  labels: { class: null, namespace: null, owner: 'own\u202eer\r\nX-Evil: yes', node: null },
});

describe('a webhook', () => {
  it('is signed with its secret, the time of sending and the body', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const secret = 'shared with the receiver';
    await told.routeAll(await told.channel({ kind: 'webhook', url: receiver.url, secret }));
    told.clock.at += 90 * SECOND;
    await told.note(anAlert('a'));
    await told.turn();
    const [first] = receiver.received;
    const t = Math.floor(told.clock.at / 1000);
    const v1 = createHmac('sha256', secret).update(`${t}.${first?.text}`).digest('hex');
    expect(first?.headers['lockscope-signature']).toBe(`t=${t},v1=${v1}`);
    const body = WebhookBody.parse(first?.body);
    expect(first?.headers['lockscope-delivery']).toBe(body.id);
    expect(body).toMatchObject({ version: 1, sentAt: told.clock.at, count: 1 });
    expect(body.notices).toMatchObject([
      {
        event: 'firing',
        alert: {
          ...{ code: 'no-expiry', severity: 'critical', evidence: 'observed', since: START },
          ...{ summary: anAlert('a').summary, remedy: anAlert('a').remedy },
          labels: { owner: 'host-1:31' },
          url: `${PUBLIC_URL}/alerts/a`,
        },
      },
    ]);
  });

  it('is not signed without one', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const { id } = await told.channel({ kind: 'webhook', url: receiver.url });
    expect(await told.notifier.test(id)).toMatchObject({
      delivered: true,
      message: expect.stringMatching(`^The test message arrived at ${receiver.host} in `),
    });
    expect(receiver.received[0]?.headers['lockscope-signature']).toBeUndefined();
  });
});

interface SlackBody {
  text: string;
  blocks: { type: string; text?: { type: string; text: string } }[];
}

describe('Slack', () => {
  const sent = async (count: number): Promise<SlackBody> => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    await told.routeAll(await told.channel({ kind: 'slack', secret: receiver.url }));
    const more = Array.from({ length: count - 1 }, (_, i) => anAlert(`a${i}`));
    await told.note(hostile, ...more);
    await told.turn();
    // What this test sent itself.
    return receiver.received[0]?.body as SlackBody;
  };

  it('is told as text and blocks, in which nothing is markup and nobody is called', async () => {
    const { text, blocks } = await sent(1);
    const said = [text, ...blocks.flatMap((block) => block.text?.text ?? [])].join('\n');
    expect(said).toContain('&lt;script&gt;');
    expect(said).toContain('&lt;!channel&gt;&amp;&lt;b&gt;');
    const link = `<${PUBLIC_URL}/alerts/h|Open in Lockscope>`;
    expect(said.replaceAll(link, '')).not.toMatch(/[<>]/);
    expect(text).not.toMatch(/@here|\*x\*/);
    expect(text).toContain(link);
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'section', 'context']);
    const plain = blocks.flatMap((block) => block.text?.type ?? []);
    expect(new Set(plain)).toEqual(new Set(['plain_text']));
  });

  it('takes a storm as one message within its bounds', async () => {
    const { text, blocks } = await sent(200);
    expect(text).toMatch(/200 notices came at once/);
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(blocks)).toContain('And 180 more.');
    for (const block of blocks) {
      const most = block.type === 'header' ? 150 : 3000;
      expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(most);
    }
  });
});

interface AlertmanagerAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
  generatorURL: string;
}

describe('Alertmanager', () => {
  it('is told by its API v2, reminded every minute, and told of the end', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const url = `http://${receiver.host}/am/`;
    await told.routeAll(
      await told.channel({ kind: 'alertmanager', url, user: 'lock', secret: 'a:b' }),
    );
    await told.note(anAlert('a'));
    await told.turn();
    await told.turn();
    const begun = receiver.received.length;
    await told.after(MINUTE - 1);
    expect(receiver.received).toHaveLength(begun);
    told.open.set('a', anAlert('a', { state: 'acknowledged', acknowledgedBy: 'mara' }));
    await told.after(1);
    expect(receiver.received).toHaveLength(begun + 1);
    const end = told.clock.at;
    await told.note(resolved(anAlert('a'), end));
    await told.turn();
    await told.after(MINUTE);
    await told.after(MINUTE);
    expect(receiver.received).toHaveLength(begun + 2);
    const alerts = receiver.received.flatMap(({ body }) => body as AlertmanagerAlert[]);
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(
      new Set(['/am/api/v2/alerts']),
    );
    const login = `Basic ${Buffer.from('lock:a:b').toString('base64')}`;
    expect(receiver.received[0]?.headers.authorization).toBe(login);
    expect(new Set(alerts.map(({ labels }) => JSON.stringify(labels))).size).toBe(1);
    expect(alerts[0]).toMatchObject({
      labels: {
        ...{ alertname: 'no-expiry', severity: 'critical', lock: 'order:a', namespace: 'order' },
        lockscope_alert: 'a',
      },
      annotations: { holder: 'host-1:31', description: anAlert('a').remedy },
      startsAt: new Date(START).toISOString(),
      generatorURL: `${PUBLIC_URL}/alerts/a`,
    });
    const endsAt = alerts.map((alert) => Date.parse(alert.endsAt));
    expect(endsAt.slice(0, -1).every((at) => at > end)).toBe(true);
    expect(endsAt.at(-1)).toBe(end);
  });

  it('is reminded after a restart too, also while a silence of the console lasts', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const url = `http://${receiver.host}`;
    await told.routeAll(await told.channel({ kind: 'alertmanager', url }));
    await told.note(anAlert('a'));
    await told.turn();
    told.open.set('a', anAlert('a', { state: 'silenced', silencedUntil: START + 60 * MINUTE }));
    const after = await told.again();
    await after.after(MINUTE);
    expect(receiver.received).toHaveLength(2);
  });
});

interface PagerdutyEvent {
  routing_key: string;
  event_action: string;
  dedup_key: string;
  payload?: Record<string, unknown>;
  links?: { href: string }[];
}

describe('PagerDuty', () => {
  it('has one incident for each alert: triggered, acknowledged, resolved', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    receiver.answer({ status: 202 });
    const settings = { kind: 'pagerduty', url: receiver.url, secret: 'R0UT1NG' } as const;
    await told.routeAll(await told.channel(settings));
    await told.note(anAlert('a', { severity: 'warning' }));
    await told.turn();
    const acknowledged = anAlert('a', { state: 'acknowledged', acknowledgedAt: START + SECOND });
    told.open.set('a', acknowledged);
    await told.turn();
    await told.turn();
    await told.note(resolved(acknowledged, START + MINUTE));
    await told.turn();
    const events = receiver.received.map(({ body }) => body as PagerdutyEvent);
    expect(events.map((event) => event.event_action)).toEqual([
      'trigger',
      'acknowledge',
      'resolve',
    ]);
    expect(new Set(events.map((event) => event.dedup_key))).toEqual(new Set(['lockscope:a']));
    expect(events[0]).toMatchObject({
      routing_key: 'R0UT1NG',
      payload: {
        ...{ severity: 'warning', source: 'redis:6379', class: 'no-expiry', group: 'order' },
        timestamp: new Date(START).toISOString(),
      },
      links: [{ href: `${PUBLIC_URL}/alerts/a` }],
    });
  });

  it('is acknowledged nothing that it was not told of', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const settings = { kind: 'pagerduty', url: receiver.url, secret: 'R0UT1NG' } as const;
    await told.routeAll(await told.channel(settings));
    await told.note(anAlert('a', { state: 'acknowledged' }));
    await told.note(resolved(anAlert('a'), START + MINUTE));
    await told.turn();
    expect(receiver.received).toEqual([]);
  });
});
