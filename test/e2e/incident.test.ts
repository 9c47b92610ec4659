import { readFileSync } from 'node:fs';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { en } from '@/lib/messages/en';
import { toDetail } from '@/lib/post-mortem';
import { WebhookBody, type Notice } from '@/lib/protocol/notify';
import { signatureOf } from '@/server/notify/kinds/webhook';
import { startReceiver, type Receiver } from '@/test/server/notify/receiver';
import { collectErrors, signInLink, startBrowser } from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const PATIENCE_MS = 60_000;
const SECRET = 'shared-with-the-pager-alone';
const SEEN_TO = 'looking at the two transfers';
const BROKEN_BY = /Broken by .+, who released .+ by force; .+ held it\./;
const BROKEN = 'the younger transfer can be done again';
const ACCOUNTS = ['account:1001', 'account:2002'];
const words = en.incident;

/** What became of a transfer: its work was done with both locks held, or it was told that it lost one. */
type Transfer = 'done' | 'lost';

/** One incident from end to end; each step starts where the last one ended. */
describe('an incident in the browser', { timeout: 150_000 }, () => {
  const at = watchedRedis();
  const clients: LockClient[] = [];
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let receiver: Receiver;
  let transfers: Promise<Transfer[]>;
  let firing: Notice;

  beforeAll(async () => {
    [browser, receiver] = await Promise.all([startBrowser(), startReceiver()]);
    const viewport = { width: 1440, height: 900 };
    const context = await browser.newContext({ baseURL: at.console.url, viewport });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(await signInLink(at.console));
  });

  afterAll(async () => {
    for (const client of clients) await client.close();
    await browser?.close();
    await receiver?.stop();
  });

  const main = (): Locator => page.getByRole('main');
  const dialog = (): Locator => page.getByRole('dialog');
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const timeline = (): Locator => main().getByRole('list', { name: words.timeline });
  const happened = (kind: keyof typeof words.kinds): Locator =>
    timeline()
      .getByRole('listitem')
      .filter({ has: page.getByText(words.kinds[kind], { exact: true }) });

  /** What the receiver was told of the deadlock, in order, each once however often it was sent. */
  const told = (): Notice[] => {
    const notices = receiver.received
      .flatMap(({ body }) => WebhookBody.parse(body).notices)
      .filter(({ alert }) => alert?.code === 'deadlock');
    return [...new Map(notices.map((notice) => [notice.id, notice])).values()];
  };
  const toldOf = async (event: Notice['event']): Promise<Notice> =>
    await until(
      `the receiver is told: ${event}`,
      () => told().find((notice) => notice.event === event),
      PATIENCE_MS,
    );

  /** Takes both accounts, the second only once the other transfer holds it. */
  async function transfer(app: string, [from = '', to = '']: string[]): Promise<Transfer> {
    const client = createLockClient({ redis: at.redis.client(), allowInsecure: true, app });
    clients.push(client);
    return await client.task(async () => {
      const first = await client.acquire(from);
      await until(`${to} is held`, () => at.client.exists(`qoder:lock:${to}`), PATIENCE_MS);
      const second = await client.acquire(to, { waitMs: 10 * PATIENCE_MS });
      if (first.signal.aborted) {
        await second.release();
        return 'lost';
      }
      await second.release();
      await first.release();
      return 'done';
    });
  }

  it('is told to the pager, once there is a channel and a route', async () => {
    await page.goto('/notifications');
    await button(en.notifications.add).click();
    await dialog().getByLabel(en.notifications.name).fill('Pager');
    await dialog().getByLabel(en.notifications.form.url).fill(receiver.url);
    await dialog().getByLabel(en.notifications.form.signingSecret).fill(SECRET);
    await dialog().getByLabel(en.notifications.form.reason).fill('whoever is on call');
    await button(en.notifications.form.save).click();
    await page.getByText(en.notifications.arrived, { exact: true }).waitFor();
    await button(en.notifications.addRoute).click();
    await dialog().getByLabel('Pager').check();
    await dialog().getByLabel(en.notifications.form.reason).fill('whoever is on call');
    await button(en.notifications.route.save).click();
    await dialog().waitFor({ state: 'hidden' });

    await page.goto('/alerts');
    await main().getByText(en.alerts.none).waitFor();
    transfers = Promise.all([
      transfer('billing', ACCOUNTS),
      transfer('refunds', ACCOUNTS.toReversed()),
    ]);
    // What is thrown is seen where the outcome is awaited.
    transfers.catch(() => undefined);
  });

  it('is detected and shown without a reload', async () => {
    const row = main()
      .locator('[data-alert]')
      .filter({
        has: page.getByRole('link', { name: en.labels.alertCodes.deadlock, exact: true }),
      });
    await row.waitFor();
    expect(await row.textContent()).toContain(en.alerts.states.firing);
    expect(await row.count()).toBe(1);
    for (const account of ACCOUNTS) expect(await row.textContent()).toContain(account);
  });

  it('arrives signed, and leads to its page', async () => {
    firing = await toldOf('firing');
    for (const { headers, text } of receiver.received) {
      const signature = String(headers['lockscope-signature']);
      const seconds = Number(/^t=(\d+),v1=/.exec(signature)?.[1]);
      expect(signature).toBe(signatureOf(text, SECRET, seconds * 1000));
    }
    await page.goto(firing.alert?.url ?? '');
    const { deadlock } = en.labels.alertCodes;
    await page.getByRole('heading', { level: 1, name: deadlock }).waitFor();
    await happened('fired').waitFor();
    await happened('notified').first().waitFor();
  });

  it('is acknowledged with a reason', async () => {
    await button(en.alerts.acknowledge).click();
    await dialog().getByLabel(en.alerts.dialog.reason).fill(SEEN_TO);
    await dialog().getByRole('button', { name: en.alerts.acknowledge, exact: true }).click();
    await dialog().waitFor({ state: 'hidden' });
    await happened('acknowledged').filter({ hasText: SEEN_TO }).waitFor();
  });

  it('is broken at the lock that is suggested', async () => {
    await main().getByRole('link', { name: words.deadlock, exact: true }).click();
    const suggestion = main().locator('p').filter({ hasText: en.deadlocks.suggested });
    await suggestion.getByRole('link').click();
    await button(en.lock.release).click();
    await dialog().getByLabel(en.release.reason).first().fill(BROKEN);
    const alive = dialog().getByRole('checkbox');
    if ((await alive.count()) > 0) await alive.check();
    await dialog().getByRole('button', { name: en.release.confirm }).click();
    await dialog().getByText(en.release.done.title, { exact: true }).first().waitFor();
    // One transfer went on with both accounts, the other was told that it had lost one.
    expect((await transfers).toSorted()).toEqual(['done', 'lost']);
  });

  it('resolves, is told to be over, and its page says who did what', async () => {
    const resolved = await toldOf('resolved');
    expect(resolved.alert).toMatchObject({ id: firing.alert?.id, state: 'resolved' });
    expect(told().map(({ event }) => event)).toEqual(['firing', 'resolved']);
    await page.goto(firing.alert?.url ?? '');
    await happened('resolved').waitFor();
    await happened('acted').filter({ hasText: BROKEN }).first().waitFor();
    await happened('notified').nth(1).waitFor();
    await main().getByText(BROKEN_BY).first().waitFor();
    // The cycle is kept as it was, with what broke it.
    await main().getByRole('link', { name: words.deadlockThen }).click();
    await main().getByText(en.deadlocks.stoodThen).first().waitFor();
    await page.goBack();
  });

  it('is exported for a post-mortem with all of it in order, and for programs', async () => {
    await happened('resolved').waitFor();
    const markdown = await saved(words.exports.markdown);
    expect(markdown).toMatch(BROKEN_BY);
    const told = ['Alerted:', SEEN_TO, BROKEN, 'Resolved: the condition lasted'];
    const places = told.map((text) => markdown.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const { alert, events } = toDetail(JSON.parse(await saved(words.exports.json)));
    expect(alert).toMatchObject({ id: firing.alert?.id, state: 'resolved' });
    expect(events.filter(({ kind }) => kind === 'notified')).toHaveLength(2);
    expect(`${markdown}${JSON.stringify(events)}`).not.toContain(SECRET);
  });

  it('went without an error', () => {
    expect(errors).toEqual([]);
  });

  async function saved(link: string): Promise<string> {
    const [download]: [Download, void] = await Promise.all([
      page.waitForEvent('download'),
      main().getByRole('link', { name: link, exact: true }).click(),
    ]);
    return readFileSync(await download.path(), 'utf8');
  }
});
