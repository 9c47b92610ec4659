import { describe, expect, it } from 'vitest';
import { verbatim } from '@/lib/messages/sentence';
import type { Alert } from '@/lib/protocol/alert';
import { WebhookBody, type ChannelSettings } from '@/lib/protocol/notify';
import { mailBody } from '@/server/notify/kinds/mail-body';
import { newNotice } from '@/server/notify/notice-record';
import { wordsOf } from '@/server/notify/wording';
import { START } from '@/test/support/records';
import { aNotifier, anAlert, aReceiver, PUBLIC_URL, resolved } from './notifier-under-test';
import type { Receiver } from './receiver';

const MINUTE = 60_000;
const TEXT = 'Broken by ada, who released acct:2 by force; B held it.';
const deadlock = anAlert('d', {
  code: 'deadlock',
  summary: 'A → acct:2 → B → acct:1 → A: each waits for the next',
  alertedAt: START + 1000,
});
const broken = resolved(
  {
    ...deadlock,
    ending: {
      ...{ text: TEXT, sentences: [verbatim(TEXT)], at: START + MINUTE },
      ...{ actor: 'ada', evidence: 'inferred' },
    },
  },
  START + MINUTE,
);

const endOf = (alert: Alert) =>
  newNotice({
    ...{ target: 'redis', channel: { id: 'c', name: 'mail' }, event: 'resolved' },
    ...{ since: START, alert, now: START + MINUTE },
  });

/** What a channel of these settings is told of the deadlock and then of its end. */
async function toldOf(settingsFor: (receiver: Receiver) => ChannelSettings): Promise<unknown[]> {
  const [told, receiver] = [await aNotifier(), await aReceiver()];
  await told.routeAll(await told.channel(settingsFor(receiver)));
  await told.note(deadlock);
  await told.turn();
  await told.note(broken);
  await told.turn();
  expect(receiver.received).toHaveLength(2);
  return receiver.received.map(({ body }) => body);
}

describe('the message that a deadlock is over', () => {
  it('says to a webhook what broke it, by whom and with which evidence', async () => {
    const bodies = await toldOf(({ url }) => ({ kind: 'webhook', url }));
    const [first, last] = bodies.map((body) => WebhookBody.parse(body).notices[0]?.alert);
    expect(first).toMatchObject({ since: START, alertedAt: START + 1000, ending: null });
    expect(last?.ending).toMatchObject({ text: TEXT, actor: 'ada', evidence: 'inferred' });
  });

  it('says so to Slack before what the deadlock was', async () => {
    const [first, last] = (await toldOf(({ url }) => ({ kind: 'slack', secret: url }))).map(
      (body) => JSON.stringify(body),
    );
    expect(first).not.toContain('Broken by');
    expect(last).toMatch(/\[resolved\] Deadlock: order:d.*Broken by ada.*It was: A → acct:2/);
  });

  it('says so to Alertmanager as an annotation', async () => {
    const [first, last] = await toldOf(({ host }) => ({
      ...{ kind: 'alertmanager', url: `http://${host}` },
    }));
    expect(first).not.toMatchObject([{ annotations: { ending: TEXT } }]);
    const annotations = { evidence: 'observed', ending: TEXT, endingEvidence: 'inferred' };
    expect(last).toMatchObject([{ annotations }]);
  });

  it('says so by mail, with both moments', () => {
    const { subject, text } = mailBody([endOf(broken)], PUBLIC_URL);
    expect(subject).toBe('[resolved] Deadlock: order:d');
    expect(text.split('\n')[0]).toBe(TEXT);
    expect(text).toMatch(/^It was: A → acct:2/m);
    expect(text).toMatch(
      /^Condition since: .*\nAlerted at: .*\nResolved at: .*\nEvidence: inferred$/m,
    );
  });
});

it('a message whose end was not seen says what the alert was', () => {
  const alert = resolved(deadlock, START + MINUTE);
  const { summary, facts } = wordsOf(endOf(alert), PUBLIC_URL);
  expect(summary).toBe(deadlock.summary);
  expect(facts.map(({ label }) => label)).not.toContain('It was');
});
