import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInLink, startBrowser } from '@/test/support/browser';
import { startConsole, type TestConsole } from '@/test/support/console';
import { firstLoadOf, kilobytesOf } from '@/test/support/first-load';
import { PAGES } from '@/test/support/pages';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const MOST_SCRIPTS_KB = 250;
const MOST_DOCUMENT_KB = 50;
/** How long a page may take to be drawn. What is weighed does not depend on it. */
const SHOWN_MS = 90_000;
const KEY = 'lock:first-load';
const LOCK = 'a lock';
const WEIGHED = {
  ...PAGES,
  'an alert': '/alerts/none',
  rules: '/alerts/rules',
  silences: '/alerts/silences',
  [LOCK]: '',
};

/** The library of the charts comes after the first figures, and only where there is a chart. */
const isOfCharts = ({ text }: { text: string }): boolean => text.includes('recharts-');

describe('a browser that has nothing of the console yet', () => {
  let redis: TestRedis;
  let console: TestConsole;
  let browser: Browser;
  let context: BrowserContext;
  let lockPath = '';

  beforeAll(async () => {
    [redis, browser] = await Promise.all([startRedis(), startBrowser()]);
    console = await startConsole({ redisUrl: redis.url });
    await redis.client().set(KEY, 'worker-1', 'PX', 3_600_000);
    const lock = await until('the lock is seen', () => console.lock(KEY), SHOWN_MS);
    lockPath = `/locks/${encodeURIComponent(lock.target)}/${lock.db}/${lock.keyB64}`;
    context = await browser.newContext({ baseURL: console.url });
    const page = await context.newPage();
    await page.goto(await signInLink(console));
    await page.getByRole('main').waitFor();
  }, 2 * SHOWN_MS);

  afterAll(async () => {
    await browser?.close();
    await console?.stop();
    await redis?.stop();
  });

  it.each(Object.entries(WEIGHED))(
    `loads at most ${MOST_SCRIPTS_KB} KB of scripts for %s, and a document that is small`,
    async (name, path) => {
      const { scripts, documentKilobytes } = await firstLoadOf(browser, {
        url: console.url,
        path: name === LOCK ? lockPath : path,
        storageState: await context.storageState(),
        shown,
      });
      expect(scripts.length).toBeGreaterThan(0);
      const needed = kilobytesOf(scripts.filter((script) => !isOfCharts(script)));
      expect(needed).toBeLessThanOrEqual(MOST_SCRIPTS_KB);
      expect(documentKilobytes).toBeLessThanOrEqual(MOST_DOCUMENT_KB);
    },
    SHOWN_MS + 60_000,
  );
});

/** The first answer has come and is drawn: no skeleton is left. */
async function shown(page: Page): Promise<void> {
  await page.getByRole('main').waitFor();
  const waiting = `document.querySelectorAll('[aria-busy="true"], .animate-skeleton').length`;
  await until('nothing is loading', async () => (await page.evaluate(waiting)) === 0, SHOWN_MS);
}
