import type { Redis } from 'ioredis';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHref } from '@/components/labels/lock-href';
import { en } from '@/lib/messages/en';
import { signInLink, startBrowser } from '@/test/support/browser';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startHeldCommands, type HeldCommands } from '@/test/support/held-commands';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

describe('the release dialog', () => {
  const stops: (() => unknown)[] = [];
  let client: Redis;
  let between: HeldCommands;
  let console: TestConsole;
  let page: Page;

  beforeAll(async () => {
    const redis = await startRedis();
    stops.push(redis.stop);
    client = redis.client();
    between = await startHeldCommands(redis.port);
    stops.push(between.stop);
    console = await startConsole({ redisUrl: `redis://127.0.0.1:${between.port}/0` });
    stops.push(console.stop);
    const browser = await startBrowser();
    stops.push(() => browser.close());
    const link = await signInLink(console);
    const context = await browser.newContext({ baseURL: console.url });
    page = await context.newPage();
    await page.goto(link);
  });

  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  /** Opens the dialog on a lock that was just taken, with a reason filled in. */
  async function openOn(key: string): Promise<void> {
    await client.set(key, 'alpha', 'PX', 600_000);
    await page.goto(lockHref(await console.heldBy(key, 'alpha')));
    await page.getByRole('button', { name: en.lock.release }).click();
    await page.getByRole('dialog').locator('textarea').fill('its holder is gone');
  }

  const title = () => page.getByRole('dialog').getByRole('heading').first();
  const focused = async (): Promise<unknown> =>
    await page.evaluate('`${document.activeElement.tagName} ${document.activeElement.innerText}`');

  it('keeps the focus: on Close after the release, on the heading of the page after that', async () => {
    await openOn('lock:keyboard');
    await page.getByRole('button', { name: en.release.confirm }).focus();
    await page.keyboard.press('Enter');
    await until(
      'it is released',
      async () => (await title().innerText()) === en.release.done.title,
    );
    await until('Close has the focus', async () => (await focused()) === `BUTTON ${en.ui.close}`);
    await page.keyboard.press('Enter');
    await until('the heading has the focus', async () => (await focused()) === 'H1 lock:keyboard');
  });

  it('looks the outcome up when the connection went before the answer came', async () => {
    await openOn('lock:unanswered');
    // The console's question to Redis waits, so that no answer can come before the connection goes.
    between.hold('lock:unanswered');
    await page.getByRole('button', { name: en.release.confirm }).click();
    await until('it is asked for', () => between.isHolding);
    await page.context().setOffline(true);
    await page.getByText(en.release.unknown.lost).waitFor();
    expect(await title().innerText()).toBe(en.release.unknown.title);
    between.letGo();
    await until('it is gone', async () => (await client.exists('lock:unanswered')) === 0);
    await page.context().setOffline(false);
    await page.getByText(en.release.unknown.verdicts.released).waitFor();
    expect(await title().innerText()).toBe(en.release.done.title);
  });
});
