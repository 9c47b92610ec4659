import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { en } from '@/lib/messages/en';
import { collectErrors, startBrowser } from '@/test/support/browser';
import { startDemo, type RunningDemo } from '@/test/support/demo';

const PATIENCE_MS = 20_000;
const LOCK = 'account:4711';

/** One story told in order; each step starts where the last one ended, on one page that is never reloaded. */
describe('an operator ends a deadlock in the browser', () => {
  let demo: RunningDemo;
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo('deadlock'), startBrowser()]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    errors = collectErrors(page);
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
    await demo?.removeFolder();
  });

  const goTo = async (name: string): Promise<void> => {
    await page
      .getByRole('navigation', { name: en.shell.navigation })
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  };

  const linkToLock = (): Locator => {
    const keyB64 = toBase64Url(bytesFromText(LOCK));
    return page.getByRole('main').locator(`a[href$="/0/${keyB64}"]:visible`).first();
  };

  it('signs in by the one-time link and sees the overview', async () => {
    await page.goto(demo.signInLink);
    await page.getByRole('heading', { level: 1, name: en.shell.pages.overview }).waitFor();
    // A mark that a reload would wipe away: everything below happens on this one document.
    await page.evaluate('window.neverReloaded = true');
  });

  it('sees the deadlock appear as an alert, without reload', async () => {
    await page
      .getByText(/deadlock/i)
      .first()
      .waitFor();
    await goTo(en.shell.pages.deadlocks);
    await page.getByRole('heading', { level: 1, name: en.shell.pages.deadlocks }).waitFor();
    await linkToLock().waitFor();
  });

  it('opens the lock and sees who holds it and who waits', async () => {
    await linkToLock().click();
    await page.getByRole('heading', { name: en.lock.holder.title }).waitFor();
    await page.getByRole('table', { name: en.lock.waiters.tableLabel }).waitFor();
  });

  it('sends nothing when the dialog is left by Escape', async () => {
    await page.getByRole('button', { name: en.lock.release }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(en.release.reason).fill('changed my mind');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByRole('table', { name: en.lock.waiters.tableLabel }).count()).toBe(1);
  });

  it('releases it by keyboard alone, with a reason', async () => {
    await page.getByRole('button', { name: en.lock.release }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const confirm = dialog.getByRole('button', { name: en.release.confirm });
    expect(await confirm.isDisabled()).toBe(true);
    await tabTo(page, en.release.reason);
    await page.keyboard.type('deadlock between two transfers');
    const alive = dialog.getByRole('checkbox');
    if ((await alive.count()) > 0) {
      await alive.focus();
      await page.keyboard.press('Space');
    }
    await confirm.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText(en.release.done.title).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('sees the waiter move on, and the hold it ended in the history', async () => {
    await page.getByText(en.labels.endReasons['force-released']).first().waitFor();
    await goTo(en.shell.pages.deadlocks);
    await page
      .getByText(/resolved/i)
      .first()
      .waitFor();
  });

  it('finds its act in the audit', async () => {
    await goTo(en.shell.pages.audit);
    await page.getByText('deadlock between two transfers').first().waitFor();
  });

  it('did all this on one document, without an error', async () => {
    expect(await page.evaluate('window.neverReloaded')).toBe(true);
    expect(errors).toEqual([]);
  });
});

/** Presses Tab until the field with that label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByRole('dialog').getByLabel(label).first();
  for (let presses = 0; presses < 20; presses++) {
    if (await field.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches "${label}"`);
}
