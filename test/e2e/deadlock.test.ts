import type { Redis } from 'ioredis';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import type { AuditEntry, AuditPage } from '@/lib/protocol/audit';
import { en } from '@/lib/messages/en';
import { collectErrors, startBrowser } from '@/test/support/browser';
import { startDemo, type RunningDemo } from '@/test/support/demo';

const LOCK = 'account:4711';
const OTHER_LOCK = 'account:4712';
const REASON = 'deadlock between two transfers';

/** One story told in order; each step starts where the last one ended, on one page that is never reloaded. */
describe('an operator ends a deadlock in the browser', () => {
  let demo: RunningDemo;
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let redis: Redis;
  /** Who holds the lock and who waits for it, as the page says before the release. */
  let holder: string;
  let waiter: string;

  beforeAll(async () => {
    [demo, browser] = await Promise.all([startDemo('deadlock'), startBrowser()]);
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    errors = collectErrors(page);
    redis = await demo.connect();
  });

  afterAll(async () => {
    redis?.disconnect();
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

  /** By its title; also while a dialog covers it, where no role leads to it. */
  const panel = (title: string): Locator =>
    page.getByRole('main', { includeHidden: true }).locator('section', {
      has: page.getByRole('heading', { name: title, exact: true, includeHidden: true }),
    });

  const releasesInAudit = async (): Promise<AuditEntry[]> => {
    const query = new URLSearchParams({ key: LOCK });
    const answer = await page.request.get(`${demo.url}/api/v1/audit?${query.toString()}`);
    const { items }: AuditPage = await answer.json();
    return items.filter(({ action }) => action === 'lock.release');
  };

  it('signs in by the one-time link and sees the overview', async () => {
    await page.goto(demo.signInLink);
    await page.getByRole('heading', { level: 1, name: en.shell.pages.overview }).waitFor();
    // A mark that a reload would wipe away: everything below happens on this one document.
    await page.evaluate('window.neverReloaded = true');
  });

  it('sees the deadlock appear as an alert, without reload', async () => {
    await goTo(en.shell.pages.alerts);
    const alert = page
      .getByRole('listitem')
      .filter({
        has: page.getByRole('heading', { name: en.labels.alertCodes.deadlock, exact: true }),
      })
      .filter({ hasText: LOCK });
    await alert.waitFor();
    expect(await alert.textContent()).toContain(en.alerts.states.firing);
    const locks = alert.locator('a[href^="/locks/"]');
    expect((await locks.allTextContents()).toSorted()).toEqual([LOCK, OTHER_LOCK]);
    await alert.getByRole('link', { name: en.alerts.showDeadlock }).click();
    await page.getByRole('heading', { level: 1, name: en.shell.pages.deadlocks }).waitFor();
    await linkToLock().waitFor();
  });

  it('opens the lock and sees who holds it and who waits', async () => {
    await linkToLock().click();
    const waiters = page.getByRole('table', { name: en.lock.waiters.tableLabel });
    await waiters.waitFor();
    [holder = ''] = await redis.hkeys(LOCK);
    [waiter = ''] = await redis.lrange(`redisson_lock_queue:{${LOCK}}`, 0, -1);
    expect(await panel(en.lock.holder.title).textContent()).toContain(holder);
    expect(await waiters.getByRole('row').nth(1).textContent()).toContain(waiter);
  });

  it('sends nothing when the dialog is left by Escape', async () => {
    await page.getByRole('button', { name: en.lock.release }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(en.release.reason).fill('changed my mind');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await redis.hkeys(LOCK)).toEqual([holder]);
    expect(await releasesInAudit()).toEqual([]);
  });

  it('releases it by keyboard alone, with a reason', async () => {
    await page.getByRole('button', { name: en.lock.release }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const confirm = dialog.getByRole('button', { name: en.release.confirm });
    expect(await confirm.isDisabled()).toBe(true);
    await tabTo(page, en.release.reason);
    await page.keyboard.type(REASON);
    const alive = dialog.getByRole('checkbox');
    if ((await alive.count()) > 0) {
      await alive.focus();
      await page.keyboard.press('Space');
    }
    await confirm.focus();
    // The waiter gives the lock back after a second: that it had it is in the history of the next step.
    await page.keyboard.press('Enter');
    await dialog.getByText(en.release.done.title).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('sees the waiter move on, and the hold it ended in the history', async () => {
    const holdOf = (owner: string): Locator =>
      page
        .getByRole('table', { name: en.lock.history.tableLabel })
        .getByRole('row')
        .filter({ hasText: owner });
    const { released, 'force-released': forced } = en.labels.endReasons;
    await holdOf(holder).filter({ hasText: forced }).waitFor();
    await holdOf(waiter).filter({ hasText: released }).waitFor();
    await goTo(en.shell.pages.deadlocks);
    const past = new RegExp(`^${en.deadlocks.tabs.past}`);
    await page.getByRole('main').getByRole('button', { name: past }).click();
    const circle = page.getByRole('main').locator('section').filter({ hasText: LOCK });
    await circle.getByText(en.deadlocks.states.resolved, { exact: true }).waitFor();
  });

  it('finds its act in the audit', async () => {
    await goTo(en.shell.pages.audit);
    const entries = page.getByRole('row').filter({ hasText: REASON }).filter({ hasText: LOCK });
    const outcomeOf = (index: number, outcome: 'requested' | 'done'): Promise<void> =>
      entries.nth(index).getByText(en.audit.outcomes[outcome], { exact: true }).waitFor();
    await outcomeOf(0, 'done');
    await outcomeOf(1, 'requested');
    expect(await entries.count()).toBe(2);
    const [done, requested, ...others] = await releasesInAudit();
    expect(others).toEqual([]);
    expect(requested).toMatchObject({ outcome: 'requested', reason: REASON });
    expect(done).toMatchObject({ outcome: 'done', requestId: requested?.requestId });
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
