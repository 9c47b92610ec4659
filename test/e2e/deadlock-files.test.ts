import { readFileSync } from 'node:fs';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHref } from '@/components/labels/lock-href';
import { en } from '@/lib/messages/en';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { DeadlockFile } from '@/lib/protocol/deadlock-file';
import {
  accessibilityProblems,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';
const [ONE, TWO] = ['acct:1', 'acct:<b>2</b>'];

/** One story: two owners wait for each other; somebody looks, takes it along, breaks it, and opens the file again. */
describe('the picture of a deadlock', () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let svg: string;
  let json: string;

  beforeAll(async () => {
    browser = await startBrowser();
    await Promise.all([hold(ONE, A), hold(TWO, B)]);
    await Promise.all([queue(TWO, A), queue(ONE, B)]);
    await until('the deadlock is told', async () =>
      (await at.console.query('deadlocks')).some(({ state }) => state === 'confirmed'),
    );
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(await signInLink(at.console));
    await page.goto('/deadlocks');
    await picture().waitFor();
  });

  afterAll(async () => await browser?.close());

  const hold = async (key: string, owner: string): Promise<void> => {
    await at.client.multi().hset(key, owner, 1).pexpire(key, 600_000).exec();
  };
  const queue = async (key: string, owner: string): Promise<void> => {
    await at.client
      .multi()
      .rpush(`redisson_lock_queue:{${key}}`, owner)
      .zadd(`redisson_lock_timeout:{${key}}`, Date.now() + 600_000, owner)
      .exec();
  };
  const main = (): Locator => page.getByRole('main');
  const picture = (): Locator => main().getByRole('group', { name: en.deadlocks.pictureOfLinks });
  const saved = async (button: string): Promise<string> => {
    const [download]: [Download, void] = await Promise.all([
      page.waitForEvent('download'),
      main().getByRole('button', { name: button }).click(),
    ]);
    return readFileSync(await download.path(), 'utf8');
  };

  it('has both locks and both owners, and nothing that axe minds', async () => {
    await picture()
      .getByRole('link', { name: en.deadlocks.lockNode.replace('{name}', ONE) })
      .waitFor();
    expect(await picture().getByRole('link').count()).toBe(4);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('leads on by keyboard alone', async () => {
    await picture().getByRole('link').first().focus();
    const keyB64 = toBase64Url(bytesFromText(ONE));
    const isThere = async (): Promise<boolean> =>
      await page.evaluate(
        (end) => document.activeElement?.getAttribute('href')?.endsWith(end) === true,
        keyB64,
      );
    for (let presses = 0; presses < 4 && !(await isThere()); presses++) {
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Enter');
    const [target] = await at.console.query('targets');
    await page.waitForURL((url) =>
      url.pathname.endsWith(lockHref({ target: target?.id ?? '', db: 0, keyB64 })),
    );
    await page.goBack();
    await picture().waitFor();
  });

  it('is saved as a picture that needs nothing else, in which no name is markup', async () => {
    svg = await saved(en.deadlocks.saveSvg);
    const { text, wrong } = await page.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      const all = [...parsed.querySelectorAll('*')];
      return {
        text: parsed.documentElement.textContent ?? '',
        wrong: all
          .filter(({ tagName }) =>
            ['parsererror', 'script', 'b', 'a', 'foreignObject'].includes(tagName),
          )
          .map(({ tagName }) => tagName),
      };
    }, svg);
    expect(wrong).toEqual([]);
    expect(text).toContain(TWO);
    expect(svg).not.toMatch(/var\(--|class=|href=/);
  });

  it('is saved as a file with everything that is known', async () => {
    json = await saved(en.deadlocks.saveJson);
    const { deadlock } = DeadlockFile.parse(JSON.parse(json));
    expect(deadlock.state).toBe('confirmed');
    expect(deadlock.cycle.map(({ owner }) => owner).toSorted()).toEqual([A, B]);
  });

  it('moves to the past when it is broken', async () => {
    await at.client.del(ONE);
    const past = main().getByRole('button', { name: new RegExp(`^${en.deadlocks.tabs.past}`) });
    await main().getByText(en.deadlocks.noneOf.now).waitFor();
    await past.click();
    await main().getByText(en.deadlocks.states.resolved, { exact: true }).waitFor();
  });

  it('is opened from its file, set apart from what is live', async () => {
    const chosen = page.waitForEvent('filechooser');
    await main().getByRole('button', { name: en.deadlocks.openFile, exact: true }).click();
    const chooser = await chosen;
    await chooser.setFiles({
      name: 'd.json',
      mimeType: 'application/json',
      buffer: Buffer.from(json),
    });
    await main().getByText(en.deadlocks.imported).waitFor();
    await main().getByRole('img', { name: en.deadlocks.picture }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await main().getByRole('button', { name: en.deadlocks.closeFile }).click();
    await main().getByText(en.deadlocks.imported).waitFor({ state: 'detached' });
  });

  it('refuses what is no such file, by name', async () => {
    const chosen = page.waitForEvent('filechooser');
    await main().getByRole('button', { name: en.deadlocks.openFile, exact: true }).click();
    const chooser = await chosen;
    await chooser.setFiles({
      name: 'x.json',
      mimeType: 'application/json',
      buffer: Buffer.from(svg),
    });
    await main()
      .getByRole('alert')
      .filter({ hasText: en.deadlocks.notOurs.replace('{name}', 'x.json') })
      .waitFor();
  });

  it('did all this without an error', () => {
    expect(errors).toEqual([]);
  });
});
