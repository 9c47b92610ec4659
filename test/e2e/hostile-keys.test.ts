import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { NAV_ITEMS } from '@/components/shell/nav-items';
import { collectErrors, signInLink, startBrowser } from '@/test/support/browser';
import { ADMIN_TOKEN } from '@/test/support/console';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const KEYS: [[string, Bytes], ...[string, Bytes][]] = [
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
    const link = await signInLink(at.console);
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

  it('lets no page, nor anything that a page loads, show the token of the administrator', async () => {
    const received: string[] = [];
    const loading: Promise<unknown>[] = [];
    page.on('response', (response) => {
      // A redirect has no body, and one that the page no longer waits for is gone.
      loading.push(
        response.text().then(
          (text) => received.push(text),
          () => undefined,
        ),
      );
    });
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => received.push(payload.toString())),
    );
    const [[, bytes]] = KEYS;
    const lock = await until('it is listed', async () => await at.console.lock({ bytes }));
    const paths = NAV_ITEMS.map(({ href }) => href);
    for (const path of [...paths, `/locks/${lock.target}/0/${lock.keyB64}`]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      received.push(await page.content());
    }
    await Promise.all(loading);
    expect(received.some((text) => text.includes(lock.keyB64))).toBe(true);
    expect(received.filter((text) => text.includes(ADMIN_TOKEN))).toEqual([]);
  });
});
