import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { en } from '@/lib/messages/en';
import {
  accessibilityProblems,
  alive,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { pause } from '@/test/support/pause';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';
import { watchedRedis, type Watched } from '@/test/support/watched-redis';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const CLASS = 'qoder:lock:order_sync:*';
/** The page asks anew every ten seconds, and a step of history takes as long. */
const PATIENCE_MS = 90_000;

const { timeouts, configuration } = en.advice;

/** More holds than are needed, each long enough for its lease to be read, which is a minute. */
async function synchronise({ redis }: Watched): Promise<void> {
  const client = createLockClient({ redis: redis.client(), allowInsecure: true });
  try {
    for (let n = 0; n < 60; n++) await client.using(`order_sync:${n}`, () => pause(50));
  } finally {
    await client.close();
  }
}

/** Both widths in both themes; the page is brought into place by `ready` each time. */
async function photograph(page: Page, name: string, ready: () => Promise<void>): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
    for (const [width, size] of [
      [1440, 'wide'],
      [390, 'narrow'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await ready();
      await page.screenshot({
        path: join(RESULTS, `${name}-${size}-${theme}.png`),
        fullPage: true,
      });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

describe('timeouts and configuration in the browser', () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    browser = await startBrowser();
    const link = await signInLink(at.console);
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(link);
  });

  afterAll(async () => await browser?.close());

  const card = () =>
    page.getByRole('region', { name: `${timeouts.verdicts['too-long']}: ${CLASS}`, exact: true });

  it('begin with nothing to recommend, without praise, at an address of their own', async () => {
    await page.goto('/advice');
    await alive(page);
    await page.getByRole('button', { name: en.advice.tabs.timeouts }).click();
    await page.getByText(timeouts.none, { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('timeouts');
    expect(await page.getByText(timeouts.noneText).isVisible()).toBe(true);
  });

  it('list a lease that is far too long, live, with what a crash costs and how to set it', async () => {
    // A hold during which the machine stood still is one of many once more are seen.
    const text = await until(
      'the least is advised',
      async () => {
        await synchronise(at);
        await card().waitFor({ timeout: PATIENCE_MS });
        const told = (await card().textContent()) ?? '';
        return told.includes('Lease it for 1 s instead of 1 m') ? told : null;
      },
      4 * PATIENCE_MS,
    );
    expect(text).toMatch(/stays held for .* on average; .* with the advice/);
    expect(text).toContain(timeouts.rules.least);
    expect(text).toContain(timeouts.confidenceWhy.low);
    expect(text).toContain('createLockClient({ redis, ttlMs: 1000 });');
    expect(text).toMatch(
      /redis-cli -h 127\.0\.0\.1 -p \d+ -n 0 HSET lockscope:advice 'order_sync:\*' 1000/,
    );
  }, 480_000);

  it('are published when an admin has seen what is written and said why', async () => {
    await card().getByRole('button', { name: timeouts.publish, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: timeouts.publishTitle });
    await dialog.getByText('0: lockscope:advice order_sync:*').waitFor();
    const submit = dialog.getByRole('button', { name: timeouts.publish, exact: true });
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel(timeouts.publishReason).fill('as short as its holds');
    await submit.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await at.client.hgetall('lockscope:advice')).toEqual({ 'order_sync:*': '1000' });
    await until(
      'the page says so',
      async () => {
        const said = await card().locator('dd', { hasText: timeouts.publishCode }).textContent();
        return said?.startsWith('1 s') === true;
      },
      PATIENCE_MS,
    );
    const audit = await at.console.query('audit', {});
    expect(audit.items.find(({ action }) => action === 'advice.publish')).toMatchObject({
      ...{ outcome: 'done', reason: 'as short as its holds' },
    });
  }, 300_000);

  it('are accessible and without error in both themes, narrow and wide', async () => {
    await photograph(page, 'advice-timeouts', async () => await card().waitFor());
    expect(errors).toEqual([]);
  }, 300_000);

  const check = (id: keyof typeof configuration.checks, state: keyof typeof configuration.states) =>
    page.getByRole('region', {
      name: `${configuration.checks[id]}: ${configuration.states[state]}`,
      exact: true,
    });

  it('say of the configuration what is wrong, why, and the command that ends it; and follow it live', async () => {
    await page.getByRole('button', { name: en.advice.tabs.configuration }).click();
    await check('persistence', 'wrong').waitFor();
    const text = (await check('persistence', 'wrong').textContent()) ?? '';
    expect(text).toContain('Nothing is kept on disk');
    expect(text).toMatch(
      /redis-cli -h 127\.0\.0\.1 -p \d+ CONFIG SET appendonly yes appendfsync always/,
    );
    expect(await check('retry-delay', 'unknown').isVisible()).toBe(true);
    await check('retry-delay', 'unknown')
      .getByRole('link', { name: configuration.links.timeouts })
      .click();
    await page.getByText(timeouts.retry, { exact: true }).waitFor();
    await page.goBack();
    await at.client.call('CONFIG', 'SET', 'appendonly', 'yes', 'appendfsync', 'always');
    await check('persistence', 'ok').waitFor({ timeout: PATIENCE_MS });
  }, 300_000);

  it('show the configuration accessibly in both themes, narrow and wide', async () => {
    await photograph(page, 'advice-configuration', async () => {
      await check('persistence', 'ok').waitFor();
    });
    expect(errors).toEqual([]);
  }, 300_000);
});
