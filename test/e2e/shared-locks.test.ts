import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHref } from '@/components/labels/lock-href';
import { en } from '@/lib/messages/en';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { accessibilityProblems, signInLink, startBrowser } from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const ALIVE = '0b7e4c1a-52d7-4c11-9c5f-8a7e0e1f2d3c:57';
const DEAD = 'f3a90d22-7b1e-4e0f-8f44-1c6b5a9d8e70:12';
const LEASE_MS = 600_000;

describe('the page of a lock that several may hold', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'shared:*' } });
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

  /** Opens the page of a key once the console knows the lock as one of `format`. */
  async function open(key: string, format: string): Promise<void> {
    const lock = await until(`${key} is known`, async () => {
      const found = await at.console.lock(key);
      return found?.format === format ? found : undefined;
    });
    await page.goto(lockHref({ ...lock, keyB64: toBase64Url(bytesFromText(key)) }));
  }

  /** Gives the reason in the dialog that is open, and confirms it. */
  async function confirm(label: string): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.locator('textarea').fill('its process is gone');
    await dialog.getByRole('button', { name: label }).click();
  }

  /** Takes a read-write lock twice, as Redisson does. */
  async function takeForReading(key: string): Promise<void> {
    const timeout = (owner: string) => `{${key}}:${owner}:rwlock_timeout:1`;
    await at.client
      .multi()
      .hset(key, { mode: 'read', [ALIVE]: 1, [DEAD]: 1 })
      .set(timeout(ALIVE), '1', 'PX', LEASE_MS)
      .set(timeout(DEAD), '1', 'PX', LEASE_MS)
      .pexpire(key, LEASE_MS)
      .exec();
  }

  it('takes one dead reader out and leaves the other inside', async () => {
    await takeForReading('shared:prices');
    await open('shared:prices', 'redisson-read-write');
    await page.getByText('2 readers').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: `Remove ${DEAD}` }).click();
    await confirm(en.release.remove.confirm);
    await page.getByText(en.release.remove.done, { exact: false }).first().waitFor();
    expect(await at.client.hgetall('shared:prices')).toEqual({ mode: 'read', [ALIVE]: '1' });
    await page.getByRole('dialog').getByRole('button', { name: en.ui.close }).last().click();
    await page.getByText('1 reader').first().waitFor();
  });

  it('fits a phone', async () => {
    await takeForReading('shared:narrow');
    await page.setViewportSize({ width: 390, height: 844 });
    await open('shared:narrow', 'redisson-read-write');
    await page.getByRole('button', { name: `Remove ${DEAD}` }).waitFor();
    const over = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(over).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('settles by a pin of which library a lock is', async () => {
    await at.client.set('redlock:payout', crypto.randomUUID(), 'PX', LEASE_MS);
    const lock = await until('several libraries fit', async () => {
      const found = await at.console.lock('redlock:payout');
      return found?.otherFormats?.includes('pottery') ? found : undefined;
    });
    await page.goto(lockHref(lock));
    await page.getByRole('button', { name: en.lock.library.pin }).click();
    await page.getByRole('dialog').getByRole('combobox').selectOption('pottery');
    await confirm(en.pin.pin);
    await page.getByText(en.lock.library.toPins).waitFor();
    await until('it is known as pinned', async () => {
      const pinned = await at.console.lock('redlock:payout');
      return pinned?.format === 'pottery' && pinned.otherFormats === undefined;
    });
  });
});
