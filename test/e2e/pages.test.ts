import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import { accessibilityProblems, alive, collectErrors, startBrowser } from '@/test/support/browser';
import { startDemo, type RunningDemo } from '@/test/support/demo';
import { PAGES } from '@/test/support/pages';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'] as const;
/** Shown in the README; taken anew when asked to, so that a test run leaves the checkout as it was. */
const UPDATES_README = process.env['UPDATE_SCREENSHOTS'] === '1';
const FOR_README = ['overview', 'lock', 'deadlocks'];
/** After so long the charts have something to show, and the deadlock will last for all pictures of the README. */
const README_AFTER_MS = UPDATES_README ? 150_000 : 0;
/** Shown in the README of a demo of contention, once it has gone on for so long. */
const OF_CONTENTION = { heatmap: '/heatmap?group=lock', blame: '/blame?' };
const CONTENDED_MS = 480_000;

describe('every page', () => {
  let demo: RunningDemo;
  let browser: Browser;
  let context: BrowserContext;
  let lockPath = '';

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [demo, browser] = await Promise.all([startDemo('deadlock'), startBrowser()]);
    context = await browser.newContext({ baseURL: demo.url });
    const page = await context.newPage();
    await page.goto(demo.signInLink);
    lockPath = await until(
      'the deadlocked lock is listed',
      async () => {
        const answer = await page.request.get('/api/v1/locks?q=account:4711');
        const body: unknown = await answer.json();
        return lockPathIn(body);
      },
      90_000,
    );
    await page.waitForTimeout(README_AFTER_MS);
    await page.close();
  }, 240_000 + README_AFTER_MS);

  afterAll(async () => {
    await browser?.close();
    await demo?.stop();
    await demo?.removeFolder();
  });

  const cases = Object.keys(WIDTHS)
    .flatMap((width) => THEMES.map((theme) => [theme, width] as const))
    .flatMap(([theme, width]) =>
      [...Object.keys(PAGES), 'lock'].map((name) => ({ name, theme, width })),
    );

  it.each(cases)('$name is accessible and without error, $theme and $width', async (each) => {
    const page = await context.newPage();
    const errors = collectErrors(page);
    await page.setViewportSize(WIDTHS[each.width === 'wide' ? 'wide' : 'narrow']);
    await page.addInitScript(`localStorage.setItem('theme', '${each.theme}')`);
    const path = Object.entries(PAGES).find(([name]) => name === each.name)?.[1] ?? lockPath;
    await page.goto(path);
    await page.getByRole('main').waitFor();
    await settle(page);
    const file = join(RESULTS, `${each.name}-${each.width}-${each.theme}.png`);
    await page.screenshot({ path: file });
    if (UPDATES_README && each.width === 'wide' && FOR_README.includes(each.name)) {
      keepForReadme(file, each);
    }
    expect(await page.evaluate('document.documentElement.classList.contains("dark")')).toBe(
      each.theme === 'dark',
    );
    expect(await scrollOfDocument(page)).toEqual([0, 0]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('the sign-in page is accessible, and every other one leads there without a session', async () => {
    const stranger = await browser.newContext({ baseURL: demo.url });
    const page = await stranger.newPage();
    await page.goto('/locks');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await page.getByLabel(en.signIn.password).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(demo.signInLink);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await stranger.close();
  });

  it('a browser that asks for the icon of no page gets that of all, with and without a session', async () => {
    const stranger = await browser.newContext({ baseURL: demo.url });
    for (const { request } of [context, stranger]) {
      const icon = await request.get('/favicon.ico');
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
    }
    await stranger.close();
  });

  it('a write from another site is refused although the cookie is right', async () => {
    const answer = await context.request.post('/api/v1/locks/release-preview', {
      headers: { origin: 'https://elsewhere.example' },
      data: { filter: {} },
    });
    expect(answer.status()).toBe(403);
  });
});

// It takes minutes and shows nothing that the others do not: made only where pictures are asked for.
if (UPDATES_README) {
  describe('the pictures of contention', () => {
    it(
      'are of a demo that has gone on for a while',
      async () => {
        const [demo, browser] = await Promise.all([startDemo('contention'), startBrowser()]);
        try {
          const context = await browser.newContext({ baseURL: demo.url, viewport: WIDTHS.wide });
          const page = await context.newPage();
          await page.goto(demo.signInLink);
          const from = Date.now() + 30_000;
          await page.waitForTimeout(CONTENDED_MS);
          const span = `&from=${from}&to=${Date.now()}`;
          for (const theme of THEMES) {
            for (const [name, path] of Object.entries(OF_CONTENTION)) {
              await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
              await page.goto(`${path}${span}`);
              await page.getByRole('main').waitFor();
              await settle(page);
              const file = join(RESULTS, `${name}-contention-${theme}.png`);
              await page.screenshot({ path: file });
              keepForReadme(file, { name, theme });
            }
          }
        } finally {
          await browser.close();
          await demo.stop();
          await demo.removeFolder();
        }
      },
      CONTENDED_MS + 120_000,
    );
  });
}

function keepForReadme(file: string, { name, theme }: { name: string; theme: string }): void {
  const docs = join(ROOT, 'docs');
  mkdirSync(docs, { recursive: true });
  copyFileSync(file, join(docs, `screenshot-${name}-${theme}.png`));
}

function lockPathIn(body: unknown): string | undefined {
  const items = (body as { items?: { target: string; db: number; keyB64: string }[] }).items ?? [];
  const [lock] = items;
  return lock && `/locks/${encodeURIComponent(lock.target)}/${lock.db}/${lock.keyB64}`;
}

/** Lets the first snapshot arrive and be drawn: no skeleton is left. */
async function settle(page: Page): Promise<void> {
  await alive(page);
  await page.waitForTimeout(400);
}

/** How far the document itself can be scrolled sideways and down: its frame stays, and its content scrolls. */
async function scrollOfDocument(page: Page): Promise<unknown> {
  return await page.evaluate(
    '(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight])(document.documentElement)',
  );
}
