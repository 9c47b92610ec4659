import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHref } from '@/components/labels/lock-href';
import { en } from '@/lib/messages/en';
import { signInLink, startBrowser } from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

describe('the release dialog', () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await startBrowser();
    const link = await signInLink(at.console);
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    await page.goto(link);
  });

  afterAll(async () => await browser?.close());

  /** Opens the dialog on a lock that was just taken, with a reason filled in. */
  async function openOn(key: string): Promise<void> {
    await at.client.set(key, 'alpha', 'PX', 600_000);
    await page.goto(lockHref(await at.console.heldBy(key, 'alpha')));
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
    expect(await focused()).toBe(`BUTTON ${en.ui.close}`);
    await page.keyboard.press('Enter');
    await until('the heading has the focus', async () => (await focused()) === 'H1 lock:keyboard');
  });

  it('looks the outcome up when the connection went before the answer came', async () => {
    await openOn('lock:unanswered');
    await page.getByRole('button', { name: en.release.confirm }).click();
    await until('it is gone', async () => (await at.client.exists('lock:unanswered')) === 0);
    await page.context().setOffline(true);
    await page.getByText(en.release.unknown.lost).waitFor();
    expect(await title().innerText()).toBe(en.release.unknown.title);
    await page.context().setOffline(false);
    await page.getByText(en.release.unknown.verdicts.released).waitFor();
    expect(await title().innerText()).toBe(en.release.done.title);
  });
});
