import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import {
  accessibilityProblems,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const SINCE = /Not connected to Redis since (\d\d:\d\d:\d\d): what is shown is from then\./;

const LEASE_MS = 30_000;
const FILTER = `getComputedStyle(document.querySelector('[data-lost="redis"]')).filter`;

describe('a page while Redis is out of reach', { timeout: 300_000 }, () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    browser = await startBrowser();
    const link = await signInLink(at.console);
    await at.client.set('lock:orders:1042', 'alpha', 'PX', 600_000);
    await at.client.set('mutex:nightly', 'beta', 'PX', 600_000);
    await until('both are seen', async () => (await at.console.query('locks')).total === 2);
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(link);
    await page.goto('/');
    await page.getByText(en.overview.noAlerts).waitFor();
    // It would end while Redis is out of reach.
    await at.client.pexpire('mutex:nightly', LEASE_MS);
    await until('its lease is read', async () => {
      const { hold } = (await at.console.detail('mutex:nightly')) ?? {};
      return (hold?.deadline ?? Infinity) < Date.now() + LEASE_MS + 1000;
    });
    at.client.disconnect();
    await at.redis.kill();
    await page.getByText(SINCE).waitFor();
  });

  afterAll(async () => await browser?.close());

  const old = () => page.locator('[data-lost="redis"]').first();

  it.each(['overview', 'locks', 'heatmap', 'waits', 'deadlocks'])(
    'of %s says since when, and draws what is old as old',
    async (name) => {
      await page.goto(name === 'overview' ? '/' : `/${name}`);
      await page.getByText(SINCE).waitFor();
      await old().waitFor();
      await until('it is grey', async () => (await page.evaluate(FILTER)) === 'grayscale(1)');
      await look(page, `redis-lost-${name}`);
    },
  );

  it.each(['targets', 'alerts', 'audit', 'settings'])(
    'of %s, which is not of Redis, says the same and stays as it is',
    async (name) => {
      await page.goto(`/${name}`);
      await page.getByText(SINCE).waitFor();
      expect(await page.locator('[data-lost]').count()).toBe(0);
    },
  );

  it('stops every countdown at that moment', async () => {
    await page.goto('/locks');
    const rows = page.getByRole('row');
    await rows.nth(2).waitFor();
    await old().waitFor();
    const before = await rows.allInnerTexts();
    await page.waitForTimeout(2500);
    expect(await rows.allInnerTexts()).toEqual(before);
    expect(before.join(' ')).not.toContain('over by');
  });

  it('claims no zero: rates and waiters are not known, and neither is that nobody is in a deadlock', async () => {
    await page.goto('/');
    const counters = en.overview.counters;
    for (const label of [counters.waiting, counters.lost, counters.acquisitions]) {
      const tile = page.getByRole('link', { name: label });
      await tile.getByText(counters.notSeen).waitFor();
      expect(await tile.innerText()).toContain('?');
    }
    const strip = page.getByRole('banner');
    expect(await strip.innerText()).toContain(en.shell.target.sights.nothing);
    expect(await page.locator('body').innerText()).not.toContain(en.overview.targetSights.part);
    await page.goto('/deadlocks');
    await page.getByText(en.live.notKnown, { exact: true }).waitFor();
    expect(await page.getByText(en.deadlocks.noneOf.now).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

/** Pictures in both widths and themes, and what axe finds in each. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.classList.toggle('dark', '${theme}' === 'dark')`);
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(RESULTS, `${name}-${width}-${theme}.png`) });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
