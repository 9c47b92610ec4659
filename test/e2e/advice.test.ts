import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { en } from '@/lib/messages/en';
import {
  accessibilityProblems,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { pause } from '@/test/support/pause';
import { ROOT } from '@/test/support/source-tree';
import { watchedRedis } from '@/test/support/watched-redis';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const LOCK = 'stock:sku-4711';
const KEY = `qoder:lock:${LOCK}`;
const BUYERS = 120;
/** The page asks anew every ten seconds. */
const PATIENCE_MS = 60_000;

/** Everybody comes within two seconds, and each works for 40 ms. */
async function sell(redis: Redis): Promise<void> {
  const client = createLockClient({ redis, allowInsecure: true });
  try {
    await Promise.all(
      Array.from({ length: BUYERS }, async (_, n) => {
        await pause((n * 2000) / BUYERS);
        await client.using(LOCK, () => pause(40));
      }),
    );
  } finally {
    await client.close();
  }
}

describe('advice in the browser', { timeout: 300_000 }, () => {
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
    page.getByRole('region', { name: `${en.advice.kinds.split}: ${KEY}`, exact: true });

  it('is none before anybody waited, without praise', async () => {
    await page.goto('/advice');
    await page.getByText(en.advice.nothingWaited).waitFor();
    expect(await page.getByText(en.advice.nothingWaitedText).isVisible()).toBe(true);
  });

  it('is to split a lock that many wait for, live, with its figures and what it rests on', async () => {
    await sell(at.client);
    // It may have asked while only some had come.
    await card().getByText(`${BUYERS} arrivals`).first().waitFor({ timeout: PATIENCE_MS });
    const text = (await card().textContent()) ?? '';
    expect(text).toMatch(/Split it into \d+ locks: on average [\d.]+ would wait for it instead of/);
    expect(text).toContain(en.advice.assumptions['any-segment']);
    expect(text).toContain(en.advice.costsOf.split);
    expect(text).toContain(`await locks.using(\`${LOCK}:\${part}\``);
  });

  it.each(['light', 'dark'])('is accessible and without error, %s', async (theme) => {
    await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
    for (const [width, name] of [
      [1440, 'wide'],
      [390, 'narrow'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await card().waitFor();
      await page.screenshot({ path: join(RESULTS, `advice-given-${name}-${theme}.png`) });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(errors).toEqual([]);
  });

  it('leads to the lock, and to the waits it rests on', async () => {
    await card().getByRole('link', { name: en.advice.links.waits }).click();
    await page.getByRole('heading', { level: 1, name: en.waits.title }).waitFor();
    expect(new URL(page.url()).searchParams.get('keyB64')).not.toBeNull();
    await page.goBack();
    await card().getByRole('link', { name: en.advice.links.lock }).click();
    await page.waitForURL(`**/locks/*/0/${toBase64Url(bytesFromText(KEY))}`);
  });
});
