import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import { WebhookBody, type NotifyPage } from '@/lib/protocol/notify';
import { signatureOf } from '@/server/notify/kinds/webhook';
import {
  accessibilityProblems,
  alive,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { startReceiver, type Receiver } from '@/test/server/notify/receiver';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const words = en.notifications;
const SECRET = 'a-secret-that-nobody-may-read-again';
const LONG_MS = 90_000;

const noticesOf = ({ received }: Receiver) =>
  received.flatMap(({ body }) => WebhookBody.parse(body).notices);
const firedOf = (receiver: Receiver, code: string) =>
  noticesOf(receiver).filter(({ event, alert }) => event === 'firing' && alert?.code === code);

describe('a console that tells of alerts', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_NO_EXPIRY_MS: '200' } });
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    for (const { id } of (await at.console.query('notify')).channels) {
      await at.console.request('DELETE', `/api/v1/notify/channels/${id}`, {
        body: { reason: 'the test is over' },
      });
    }
    await receiver.stop();
  });

  async function channelTo(url: string): Promise<string> {
    const { body } = await at.console.request<{ channel: { id: string } }>(
      'POST',
      '/api/v1/notify/channels',
      {
        body: {
          name: 'ops',
          settings: { kind: 'webhook', url, secret: SECRET },
          reason: 'people must hear of it',
        },
      },
    );
    const { id } = body.channel;
    const routes = [
      { id: 'all', least: 'critical', namespaces: [], channels: [id], resolved: true },
      { id: 'warn', least: 'warning', namespaces: [], channels: [id], resolved: true },
    ];
    await at.console.request('POST', '/api/v1/notify/routes', {
      body: { routes, reason: 'people must hear of it' },
    });
    return id;
  }

  it('tells of a lock without expiry and of its end, signed', async () => {
    await channelTo(receiver.url);
    await at.client.set('lock:told', 'a-holder');
    await until('it is told', () => firedOf(receiver, 'no-expiry').length > 0, LONG_MS);
    await at.client.del('lock:told');
    await until(
      'the end is told',
      () => noticesOf(receiver).some(({ event }) => event === 'resolved'),
      LONG_MS,
    );
    const told = firedOf(receiver, 'no-expiry')[0]?.alert;
    expect(told?.subject.label).toBe('lock:told');
    for (const { headers, text } of receiver.received) {
      const signature = String(headers['lockscope-signature']);
      const seconds = Number(/^t=(\d+),v1=/.exec(signature)?.[1]);
      expect(signature).toBe(signatureOf(text, SECRET, seconds * 1000));
    }
    const events = await until('the timeline tells it', async () => {
      const found = await at.console.request<{ events: { kind: string; text: string }[] }>(
        'GET',
        `/api/v1/alerts/${told?.id}`,
      );
      const notified = found.body.events?.filter(({ kind }) => kind === 'notified') ?? [];
      return notified.length > 1 ? notified.map(({ text }) => text) : undefined;
    });
    expect(events).toEqual(['Told ops: firing.', 'Told ops: resolved.']);
  });

  it('killed before an alert could be sent tells it after the restart, with the same id', async () => {
    receiver.answer({ status: 503 });
    await channelTo(receiver.url);
    await at.client.set('lock:killed', 'a-holder');
    const first = await until('it is tried', () => firedOf(receiver, 'no-expiry')[0], LONG_MS);
    await at.console.kill();
    const before = receiver.received.length;
    receiver.answer({ status: 200 });
    await at.console.restart();
    const again = await until(
      'it is told',
      () =>
        receiver.received
          .slice(before)
          .flatMap(({ body }) => WebhookBody.parse(body).notices)
          .find(({ alert }) => alert?.id === first.alert?.id),
      LONG_MS,
    );
    expect(again.id).toBe(first.id);
    await until('it is no more to be sent', async () => {
      const { deliveries } = await at.console.query('notify');
      return deliveries.find(({ id }) => id === first.id)?.nextAt === null;
    });
    await at.client.del('lock:killed');
  });

  it('shows a secret to nobody again, neither in answers nor on disk nor in what it prints', async () => {
    const id = await channelTo(receiver.url);
    receiver.answer({ status: 400, text: `you sent ${SECRET}` });
    await at.console.request('POST', `/api/v1/notify/channels/${id}/test`, { body: {} });
    const page = await at.console.query('notify');
    expect(page.channels[0]).toMatchObject({ hasSecret: true });
    const audit = await at.console.query('audit', { limit: '100' });
    expect(JSON.stringify([page, audit])).not.toContain(SECRET);
    expect(JSON.stringify(page)).toContain('you sent •••');
    const files = readdirSync(at.console.dataDir, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    expect(texts.join('')).toContain('notify.save-channel');
    expect([...texts, at.console.output()].join('')).not.toContain(SECRET);
  });
});

describe('the page of notifications', () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let receiver: Receiver;
  let errors: string[];

  beforeAll(async () => {
    [browser, receiver] = await Promise.all([startBrowser(), startReceiver()]);
    const link = await signInLink(at.console);
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(link);
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const stored = (): Promise<NotifyPage> => at.console.query('notify');

  it('says that nobody is told, adds a channel, and shows that a test arrived', async () => {
    await page.goto('/notifications');
    await page.getByText(words.noChannels).waitFor();
    await button(words.add).click();
    await dialog().getByLabel(words.name).fill('Incident bot');
    await dialog().getByLabel(words.form.url).fill(receiver.url);
    await dialog().getByLabel(words.form.signingSecret).fill(SECRET);
    await dialog().getByLabel(words.form.reason).fill('people must hear of it');
    expect(await accessibilityProblems(page)).toEqual([]);
    await button(words.form.save).click();
    await page.getByText(words.arrived, { exact: true }).waitFor();
    expect(noticesOf(receiver)).toMatchObject([{ event: 'test', alert: null }]);
    await page.getByText(words.unrouted, { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.content()).not.toContain(SECRET);
  });

  it('says why a test did not arrive', async () => {
    receiver.answer({ status: 403, text: 'not you' }, { status: 200 });
    await button(words.testTitle.replace('{name}', 'Incident bot')).click();
    await page.getByText(words.notArrived, { exact: true }).waitFor();
    const said = `${receiver.host} answered 403: not you`;
    await page.getByRole('status').getByText(said).waitFor();
  });

  it('changes a channel and keeps its secret', async () => {
    await button(words.editTitle.replace('{name}', 'Incident bot')).click();
    await dialog().getByText(words.form.secretKept).waitFor();
    await dialog().getByLabel(words.name).fill('Bot');
    await dialog().getByLabel(words.form.reason).fill('a shorter name');
    await button(words.form.save).click();
    await page.getByText(words.arrived, { exact: true }).waitFor();
    const last = receiver.received.at(-1);
    const signature = String(last?.headers['lockscope-signature']);
    const seconds = Number(/^t=(\d+)/.exec(signature)?.[1]);
    expect(signature).toBe(signatureOf(last?.text ?? '', SECRET, seconds * 1000));
  });

  it('adds a route, changes and removes it, and removes the channel', async () => {
    await button(words.addRoute).click();
    await dialog().getByLabel(words.route.least).selectOption('critical');
    await dialog().getByLabel(words.namespaces, { exact: true }).fill('order\npayments');
    await dialog().getByLabel('Bot').check();
    await dialog().getByLabel(words.form.reason).fill('orders matter most');
    await button(words.route.save).click();
    await page.getByText('order, payments').waitFor();
    expect((await stored()).routes).toMatchObject([
      { least: 'critical', namespaces: ['order', 'payments'], resolved: true },
    ]);
    await button(words.removeRoute).click();
    await dialog().getByLabel(words.form.reason).fill('all are told now');
    await dialog().getByRole('button', { name: words.remove, exact: true }).click();
    await page.getByText(words.noRoutes).waitFor();
    await button(words.removeTitle.replace('{name}', 'Bot')).click();
    await dialog().getByLabel(words.form.reason).fill('nobody reads it');
    await dialog().getByRole('button', { name: words.remove, exact: true }).click();
    await page.getByText(words.noChannels).waitFor();
    expect(errors).toEqual([]);
  });

  it('is reached by the keyboard', async () => {
    await page.goto('/locks');
    await alive(page);
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.waitForURL('**/notifications');
  });
});
