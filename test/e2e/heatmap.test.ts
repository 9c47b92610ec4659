import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
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
import { rollupOf, seedHistory, type History } from '@/test/support/seeded-history';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const STEP_MS = 10_000;
const DAY_MS = 86_400_000;
/** What is looked at ended a while ago, so that nothing more is added to it. */
const TO = Math.floor((Date.now() - 300_000) / 600_000) * 600_000;
const FROM = TO - 3_600_000;
const t = en.heatmap;

/** Two classes of one namespace and one of another; `hot` is held half of each step and waited for. */
function* history(target: string): Generator<History> {
  const about = { target, spanMs: STEP_MS };
  const orders = { ...about, namespace: 'shop', class: 'shop:order:*' };
  const others = [
    { ...about, namespace: 'shop', class: 'shop:stock:*' },
    { ...about, namespace: 'mail', class: 'mail:send:*' },
  ];
  const sums = { acquisitions: 2, heldMs: 5000, waiterMs: 15_000, timeouts: 1, attempts: 4 };
  const hot = { db: 0, key: 'shop:order:4711' };
  for (let step = FROM; step < TO; step += STEP_MS) {
    yield {
      rollups: [
        rollupOf({ ...orders, ...sums, step }),
        rollupOf({ ...orders, ...sums, step, lock: hot }),
        ...others.map((each) => rollupOf({ ...each, step, acquisitions: 1, heldMs: 100 })),
      ],
      blame: [
        {
          ...orders,
          formatId: 'redisson-fair',
          lock: hot,
          cause: 'holder',
          owner: 'order-7',
          step,
          waiterMs: 15_000,
        },
      ],
    };
  }
  for (let step = FROM - DAY_MS; step < TO - DAY_MS; step += STEP_MS) {
    yield { rollups: [rollupOf({ ...orders, step, acquisitions: 1, heldMs: 1000 })] };
  }
}

describe('the heatmap', { timeout: 300_000 }, () => {
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
    await seedHistory(console, history);
    context = await browser.newContext({
      baseURL: console.url,
      viewport: { width: 1440, height: 900 },
      acceptDownloads: true,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
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

  const open = async (more = ''): Promise<Locator> => {
    await page.goto(`/heatmap?from=${FROM}&to=${TO}${more}`);
    const map = page.getByRole('application');
    await map.waitFor();
    await map.locator('canvas').waitFor();
    return map;
  };
  const spot = async (map: Locator, x: number, y: number): Promise<[number, number]> => {
    const box = await map.locator('canvas').boundingBox();
    if (!box) throw new Error('the map is not in sight');
    return [box.x + x * box.width, box.y + y * box.height];
  };
  const rowsOf = async (map: Locator, count: number) =>
    await until(
      `${count} rows`,
      async () => (await map.getAttribute('aria-label'))?.includes(`, ${count} row`) ?? false,
    );
  /** How far the cursor moves from one cell to the next, by what it says of each. */
  const stepSeconds = async (map: Locator): Promise<number> => {
    const said = async (key: string): Promise<number> => {
      await map.press(key);
      const text = await page
        .locator('output', { hasText: /, \d\d:\d\d:\d\d: / })
        .first()
        .innerText();
      const [, minutes = '', seconds = ''] = /:(\d\d):(\d\d): /.exec(text) ?? [];
      return Number(minutes) * 60 + Number(seconds);
    };
    // Away from the map, so that only the keys move the cursor.
    await page.mouse.move(1, 1);
    const [last, before] = [await said('End'), await said('ArrowLeft')];
    return (last - before + 3600) % 3600;
  };
  const address = () => new URL(page.url()).searchParams;

  it('leads from a namespace to a class to its locks, and back', async () => {
    const map = await open();
    await rowsOf(map, 3);
    // Namespaces in the order of their names: the second is "shop".
    await page.mouse.click(...(await spot(map, 0.03, 0.6)));
    await until('only the namespace is shown', () => address().get('namespace') === 'shop');
    await rowsOf(map, 2);
    await page.mouse.click(...(await spot(map, 0.18, 0.45)));
    await until('only the class is shown', () => address().get('class') === 'shop:order:*');
    expect(address().get('group')).toBe('lock');
    await rowsOf(map, 1);
    await map.focus();
    await page.keyboard.press('Backspace');
    await until('the class is left', () => address().get('class') === null);
    await page.getByRole('button', { name: t.allNamespaces }).click();
    await rowsOf(map, 3);
  });

  it('reads a brushed part at finer grain and stands still meanwhile', async () => {
    await page.goto('/heatmap?range=6h');
    const map = page.getByRole('application');
    await map.waitFor();
    await page.getByText(t.live, { exact: true }).waitFor();
    await until('it is read by the minute', async () => (await stepSeconds(map)) === 60);
    await page.mouse.move(...(await spot(map, 0.8, 0.4)));
    await page.mouse.down();
    await page.mouse.move(...(await spot(map, 0.9, 0.6)), { steps: 4 });
    await page.mouse.up();
    await until('a part is shown', () => address().get('from') !== null);
    await page.getByText(t.paused, { exact: true }).waitFor();
    const part = Number(address().get('to')) - Number(address().get('from'));
    expect(part).toBeGreaterThan(5 * 60_000);
    expect(part).toBeLessThan(3_600_000);
    await until('the part is read at finer grain', async () => (await stepSeconds(map)) === 10);
    await map.focus();
    await page.keyboard.press('r');
    await until('the present is followed', () => address().get('from') === null);
  });

  it('zooms by the wheel towards the pointer', async () => {
    const map = await open();
    await page.mouse.move(...(await spot(map, 0.6, 0.5)));
    await page.mouse.wheel(0, -400);
    await until('less time is shown', () => {
      const [from, to] = [Number(address().get('from')), Number(address().get('to'))];
      return from > FROM && to < TO;
    });
  });

  it('stays at the moment of the past that it is about while one looks closer', async () => {
    const at = TO - 1_234_567;
    await page.goto(`/heatmap?at=${at}`);
    const map = page.getByRole('application');
    await map.waitFor();
    await rowsOf(map, 3);
    await page.screenshot({ path: join(RESULTS, 'heatmap-past-wide-light.png') });
    await page.mouse.move(...(await spot(map, 0.6, 0.5)));
    await page.mouse.wheel(0, -300);
    await until('less time is shown', () => Number(address().get('from')) > at - 1_800_000);
    expect(Number(address().get('at'))).toBe(at);
    expect(Number(address().get('to'))).toBeLessThanOrEqual(at);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('pins a cell with all its figures and who made others wait', async () => {
    const map = await open('&group=lock&metric=waiters');
    await rowsOf(map, 3);
    await page.mouse.click(...(await spot(map, 0.7, 0.6)));
    const card = page.getByRole('region', { name: t.pinned });
    await card.getByText('order-7').waitFor();
    const text = (await card.innerText()).replaceAll('\n', ' ');
    expect(text).toContain('shop:order:4711');
    expect(text).toMatch(/Held\s+50%/);
    expect(text).toMatch(/Waiting\s+1\.5/);
    expect(text).toMatch(/Taken\/min\s+12/);
    expect(await card.getByRole('link', { name: t.openWaits }).getAttribute('href')).toContain(
      'class=shop%3Aorder%3A*',
    );
    await page.screenshot({ path: join(RESULTS, 'heatmap-pinned-wide-light.png') });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  it('tells what changed since the same time yesterday', async () => {
    const map = await open('&vs=yesterday');
    await rowsOf(map, 3);
    await page.mouse.click(...(await spot(map, 0.7, 0.5)));
    const card = page.getByRole('region', { name: t.pinned });
    await card.getByText('now 50%, then 10%').waitFor();
    expect(await card.getByText('+40%').count()).toBe(1);
    await page.screenshot({ path: join(RESULTS, 'heatmap-compared-wide-light.png') });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('is walked over and read by keyboard, and has a table', async () => {
    const map = await open();
    await rowsOf(map, 3);
    await map.focus();
    await page.keyboard.press('ArrowDown');
    await page
      .getByText(/shop › shop:order:\*, .*: 50% held on average/)
      .waitFor({ state: 'attached' });
    await page.getByText(t.table).click();
    const table = page.getByRole('table');
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(4);
    expect(await table.innerText()).toContain('50%');
  });

  it('is taken along as a link, a picture and exact figures', async () => {
    const map = await open('&metric=acquisitions');
    await rowsOf(map, 3);
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t.saveCsv }).click(),
    ]);
    const lines = readFileSync(await table.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain(new Date(FROM).toISOString());
    expect(lines.find((line) => line.startsWith('shop,shop:order:*'))).toMatch(/(,12){360}$/);
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t.savePng }).click(),
    ]);
    expect(picture.suggestedFilename()).toMatch(/\.png$/);
    const png = readFileSync(await picture.path());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Width and height stand in the header: twice 1,600 pixels for sharp text.
    expect(png.readUInt32BE(16)).toBe(3200);
    await page.getByRole('button', { name: t.copyLink }).click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      metric: 'acquisitions',
      from: String(FROM),
      to: String(TO),
    });
  });

  it('explains the patterns to look for, accessibly in both themes', async () => {
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
      await open();
      await page.getByRole('button', { name: t.help.open }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(t.help.patterns.staircase.name).waitFor();
      await page.screenshot({ path: join(RESULTS, `heatmap-help-wide-${theme}.png`) });
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(errors).toEqual([]);
  });
});
