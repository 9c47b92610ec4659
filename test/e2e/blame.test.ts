import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import {
  accessibilityProblems,
  alive,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { seedHistory } from '@/test/support/seeded-history';
import { FROM, HOT_KEY, shopHistory, TO } from '@/test/support/shop-history';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const t = en.blame;
const KEY_B64 = Buffer.from(HOT_KEY).toString('base64url');

describe('the page of blame', () => {
  let redis: TestRedis;
  let console: TestConsole;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    redis = await startRedis();
    [console, browser] = await Promise.all([startConsole({ redisUrl: redis.url }), startBrowser()]);
    await seedHistory(console, shopHistory);
    context = await browser.newContext({
      baseURL: console.url,
      viewport: { width: 1440, height: 900 },
      acceptDownloads: true,
    });
    page = await context.newPage();
    errors = collectErrors(page);
    const link = await signInLink(console);
    await page.goto(link);
    await page.getByRole('main').waitFor();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await console?.stop();
    await redis?.stop();
  });

  const address = () => new URL(page.url()).searchParams;
  const box = (name: RegExp) => page.getByRole('treeitem', { name });
  const open = async (more = ''): Promise<void> => {
    await page.goto(`/blame?from=${FROM}&to=${TO}${more}`);
    await box(/^shop /).waitFor();
  };
  const focused = async (): Promise<string> =>
    await page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""');
  const zoom = (): unknown => JSON.parse(address().get('zoom') ?? '[]');

  it('says in a sentence who cost the others the most', async () => {
    await open();
    // 180 steps with 600 ms and 180 with 1,200 ms.
    await page.getByText('cost others 5 m 24 s').waitFor();
    const [first] = await page
      .getByRole('table', { name: t.listCaption })
      .getByRole('row')
      .all()
      .then((rows) => rows.slice(1));
    const text = ((await first?.innerText()) ?? '').replaceAll('\n', ' ');
    expect(text).toContain('order-7');
    expect(text).toContain('59.4%');
    await until('the lock can be opened', async () => {
      const links = page.getByRole('table').getByRole('link', { name: HOT_KEY });
      return (await links.first().getAttribute('href'))?.endsWith(`/0/${KEY_B64}`);
    });
  });

  it('is walked through by keyboard: down to a holder, into a lock, and back out', async () => {
    await open();
    await box(/^All /).focus();
    for (const name of [/^shop /, /^shop:order:\* /, /^shop:order:4711 /, /^order-7 /]) {
      await page.keyboard.press('ArrowDown');
      await until(`the focus is on ${name}`, async () => name.test(await focused()));
    }
    await page.keyboard.press('ArrowRight');
    await until('it is on the next', async () => /^order-8 .*19\.8%$/.test(await focused()));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await until('the lock is shown', () => Array.isArray(zoom()) && address().get('zoom') !== null);
    expect(zoom()).toEqual(['shop', 'shop:order:*', `0:${KEY_B64}`]);
    await box(/^shop /).waitFor({ state: 'detached' });
    await page.screenshot({ path: join(RESULTS, 'blame-zoomed-wide-light.png') });
    await page.keyboard.press('Escape');
    await until('the class is shown', () => address().get('zoom')?.includes('4711') !== true);
    await page.goBack();
    await until('the lock is shown again', () => address().get('zoom')?.includes(KEY_B64));
    await page.getByRole('button', { name: en.blame.levels.all, exact: true }).click();
    await until('all is shown', () => address().get('zoom') === null);
  });

  it('goes in by a click; the ranking follows', async () => {
    await open();
    const rows = page.getByRole('table', { name: t.listCaption }).getByRole('row');
    await until('all causes are listed', async () => (await rows.count()) === 6);
    await box(/^shop:order:4711 /).click();
    await until('those of the lock are listed', async () => (await rows.count()) === 4);
  });

  it('draws no box beyond the whole', async () => {
    await open();
    const whole = await box(/^All /).boundingBox();
    for (const each of await page.getByRole('treeitem').all()) {
      const { x = 0, width = 0 } = (await each.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0) + 1);
    }
  });

  it('tells name, time and share of what is pointed at', async () => {
    await open();
    await box(/^order-8 /).hover();
    await page.getByText('19.8% of all that is shown').waitFor();
    await box(/^nobody/).hover();
    await page.getByText(t.causeMeanings.nobody).first().waitFor();
  });

  it('says above the figures of whom nothing can be told', async () => {
    await open();
    await page.getByText('Who waits for 1 class that is held cannot be seen').waitFor();
    expect(await page.getByRole('main').innerText()).toContain('mail:send:*');
    await page.goto(`/blame?from=${FROM}&to=${TO}&class=mail%3Asend%3A*`);
    await page.getByText(t.nothingBlind).waitFor();
    expect(await page.getByText(t.nothing, { exact: true }).count()).toBe(0);
  });

  it('has the picture as a table and the figures as a file', async () => {
    await open();
    await page.getByText(t.table).click();
    const table = page.getByRole('table', { name: t.tableCaption });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(14);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t.exportCsv }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(6);
    expect(lines[1]).toContain(
      `shop,shop:order:*,0,${HOT_KEY},${KEY_B64},holder,order-7,,,,324000`,
    );
  });

  it('is reached by the keyboard, and leads to the waits of the same time', async () => {
    await open();
    const href = await page.getByRole('link', { name: en.charts.links.waits }).getAttribute('href');
    expect(href).toBe(`/waits?from=${FROM}&to=${TO}`);
    await page.goto('/locks');
    await alive(page);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForURL('**/blame');
  });

  it.each(['light', 'dark'])('is accessible, %s', async (theme) => {
    await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
    await open();
    await box(/^order-7 /).focus();
    await page.getByText(t.table).click();
    await page.screenshot({ path: join(RESULTS, `blame-focus-wide-${theme}.png`) });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
