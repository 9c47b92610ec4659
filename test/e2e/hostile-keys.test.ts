import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { collectErrors, startBrowser } from '@/test/support/browser';
import { ADMIN_TOKEN } from '@/test/support/console';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const KEYS: [string, Bytes][] = [
  ['HTML', 'lock:<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'],
  ['5,000 bytes', `lock:${'k'.repeat(4995)}`],
  ['control characters and bytes that are no UTF-8', 'lock:\x00\x1b[31m\r\n\xff\xfe'],
];

describe('a hostile key in the browser', () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    const link = await until(
      'a sign-in link is printed',
      () => /(http:\/\/\S+magic-link\/verify\S+)/.exec(at.console.output())?.[1],
    );
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(link);
  });

  afterAll(async () => await browser?.close());

  it.each(KEYS)('of %s is listed and opened as text', async (_, bytes) => {
    await at.client.set(Buffer.from(bytes, 'latin1'), 'token', 'PX', 120_000);
    const lock = await until('it is listed', async () => await at.console.lock({ bytes }));
    await page.goto('/locks');
    const path = `/locks/${encodeURIComponent(lock.target)}/0/${toBase64Url(bytes)}`;
    await page.locator(`a[href="${path}"]`).first().waitFor();
    await page.locator(`a[href="${path}"]`).first().click();
    await page.getByText('token', { exact: true }).first().waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const sideways = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(sideways)).toBe(false);
    expect(errors).toEqual([]);
  });

  it('the token is not to be found in any page', async () => {
    expect(await page.content()).not.toContain(ADMIN_TOKEN);
  });
});
