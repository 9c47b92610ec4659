import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import {
  accessibilityProblems,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { seedHistory } from '@/test/support/seeded-history';
import {
  FROM,
  HOT_KEY,
  LONGEST_END,
  LONGEST_MS,
  shopHistory,
  SLOWER_AT,
  TO,
} from '@/test/support/shop-history';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const MINUTE_MS = 60_000;
const t = en.waits;

describe('the page of waits', () => {
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
  const hand = () => page.locator('[data-hand]').first();
  const open = async (more = ''): Promise<void> => {
    await page.goto(`/waits?from=${FROM}&to=${TO}${more}`);
    await hand().waitFor();
  };
  /** A place on the first chart: 0…1 from its left edge. */
  const spot = async (share: number): Promise<[number, number]> => {
    await hand().scrollIntoViewIfNeeded();
    const box = await hand().boundingBox();
    if (!box) throw new Error('the chart is not in sight');
    return [box.x + share * box.width, box.y + box.height / 2];
  };
  const drag = async (from: number, to: number): Promise<void> => {
    await page.mouse.move(...(await spot(from)));
    await page.mouse.down();
    await page.mouse.move(...(await spot(to)), { steps: 4 });
    await page.mouse.up();
  };
  const comparison = () => page.getByRole('table', { name: t.marker.tables.waits });

  it('compares before and after a marker that is set, moved and removed', async () => {
    await open();
    await page.mouse.click(...(await spot(0.5)));
    await until('a marker is set', () => address().get('marker') === String(SLOWER_AT));
    await comparison().waitFor();
    const row = comparison().getByRole('row', { name: /^p99 / });
    // Percentiles are good to a hundredth, so the change is to two.
    expect(await row.innerText()).toMatch(/100|99|101/);
    expect(await row.innerText()).toMatch(/\+(9[6-9]|10[0-4])%/);
    await page.screenshot({ path: join(RESULTS, 'waits-marker-wide-light.png') });

    await page.locator('[data-marker]').first().waitFor();
    await drag(0.5, 0.75);
    await until('it is moved', () => {
      const moved = Number(address().get('marker'));
      return Math.abs(moved - (FROM + 0.75 * (TO - FROM))) <= MINUTE_MS;
    });
    expect(address().get('from')).toBe(String(FROM));
    await page.getByRole('button', { name: t.marker.remove }).click();
    await until('it is removed', () => address().get('marker') === null);
    await comparison().waitFor({ state: 'detached' });
  });

  it('takes a marker from the address and by keyboard', async () => {
    await open(`&marker=${SLOWER_AT}`);
    await comparison().waitFor();
    await page.goto(`/waits?from=${FROM}&to=${TO}`);
    await page.getByRole('button', { name: t.marker.set }).focus();
    await page.keyboard.press('Enter');
    await comparison().waitFor();
  });

  it('looks closer at what is brushed, and Back undoes it', async () => {
    await open();
    await drag(0.25, 0.5);
    await until('a part is shown', () => {
      const [from, to] = [Number(address().get('from')), Number(address().get('to'))];
      return Math.abs(from - (FROM + 15 * MINUTE_MS)) <= MINUTE_MS && to <= TO - 29 * MINUTE_MS;
    });
    expect(address().get('marker')).toBeNull();
    await page.goBack();
    await until('all is shown again', () => address().get('to') === String(TO));
  });

  it('says everything of a step at once and hides the lines that are not wanted', async () => {
    await open();
    await page.mouse.move(...(await spot(0.25)));
    await page.getByText('60 waits').waitFor();
    const lines = () => page.locator('.recharts-line').count();
    const all = await lines();
    await page.getByRole('button', { name: en.charts.quantiles.p90, exact: true }).click();
    await until('two lines fewer', async () => (await lines()) === all - 2);
  });

  it('lists who waited the longest and who held the lock meanwhile', async () => {
    await open();
    const longest = page.getByRole('article').first();
    await longest.getByText('order-9').waitFor();
    expect(await longest.innerText()).toContain('41 s');
    const keyB64 = Buffer.from(HOT_KEY).toString('base64url');
    const hrefOf = async (name: string): Promise<string | null> =>
      await longest.getByRole('link', { name }).getAttribute('href');
    await until('it leads to that moment', async () => {
      const at = LONGEST_END - LONGEST_MS;
      return (await hrefOf(HOT_KEY))?.endsWith(`/0/${keyB64}?at=${at}`);
    });
    expect(await hrefOf('order-7')).toContain(`${keyB64}?at=`);
  });

  it('narrows to a class, and says where nothing can be known', async () => {
    await open();
    await page.getByRole('button', { name: t.onlyClass.replace('{class}', 'mail:send:*') }).click();
    await until('only the class is shown', () => address().get('class') === 'mail:send:*');
    await page.getByText(t.waitsUnknown).waitFor();
    expect(await page.getByText(t.notObservableWhy.polls).count()).toBe(1);
    await page.getByRole('button', { name: en.charts.subject.clear }).click();
    await page.getByText(t.waitsUnknown).waitFor({ state: 'detached' });
  });

  it('narrows to a lock by its key', async () => {
    await open(`&key=${encodeURIComponent(HOT_KEY)}`);
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('textbox', { name: en.charts.subject.key }).inputValue()).toBe(
      HOT_KEY,
    );
    const { count } = await console.query('waits', {
      key: HOT_KEY,
      from: String(FROM),
      to: String(TO),
    });
    await page
      .getByText(`${count.toLocaleString('en')} samples`)
      .first()
      .waitFor();
  });

  it('draws the distribution as shares, counts and cumulative, and has it as tables', async () => {
    await open();
    const choice = page.getByRole('group', { name: t.bars });
    for (const mode of ['count', 'cumulative'] as const) {
      await choice.getByRole('button', { name: t.barModes[mode] }).click();
      await page.getByText(t.distributionHint[mode]).waitFor();
    }
    expect(address().get('bars')).toBe('cumulative');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t.exportCsv.replace('{what}', t.distribution) }).click(),
    ]);
    const [head, ...rows] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toBe('up_to_ms,waits,waits_observed,holds');
    const waits = rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0);
    expect(waits).toBe((10 * (TO - FROM)) / 10_000);
  });

  it.each(['light', 'dark'])('is accessible, %s', async (theme) => {
    await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
    await open(`&marker=${SLOWER_AT}`);
    await comparison().waitFor();
    for (const summary of await page.getByText(en.charts.table).all()) await summary.click();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
