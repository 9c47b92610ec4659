import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockHref } from '@/components/labels/lock-href';
import { en } from '@/lib/messages/en';
import type { LockDetail, PastHold } from '@/lib/protocol/lock';
import {
  accessibilityProblems,
  alive,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const RESULTS = join(ROOT, 'test', 'results', 'screenshots');
const KEY = 'lock:orders:1042';
const HELD_MS = 1500;
const PATIENCE_MS = 60_000;

/** One story: a lock is held by alpha, then by beta, then by nobody; afterwards somebody asks who held it when. */
describe('the time machine', { timeout: 300_000 }, () => {
  const at = watchedRedis();
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let lock: LockDetail;
  let alpha: PastHold;
  let beta: PastHold;

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    browser = await startBrowser();
    await at.client.set('mutex:nightly', 'gamma', 'PX', 600_000);
    await at.console.heldBy('mutex:nightly', 'gamma');
    for (const owner of ['alpha', 'beta']) {
      await at.client.set(KEY, owner, 'PX', 600_000);
      const held = await at.console.heldBy(KEY, owner);
      await until(
        'it has been held for a while',
        () => Date.now() - (held.hold?.since ?? 0) > HELD_MS,
      );
      await at.client.del(KEY);
      await until('it is free', async () => (await at.console.detail(KEY))?.hold === null);
    }
    lock = await until('both holds are over', async () => {
      const found = await at.console.detail(KEY);
      return found?.holds.length === 2 && found.hold === null ? found : undefined;
    });
    const [second, first] = lock.holds;
    if (!first || !second) throw new Error('two holds were waited for');
    [alpha, beta] = [first, second];
    const context = await browser.newContext({ baseURL: at.console.url });
    page = await context.newPage();
    errors = collectErrors(page);
    const link = await signInLink(at.console);
    await page.goto(link);
  });

  afterAll(async () => await browser?.close());

  const band = (): Locator => page.getByText(en.past.asItWas.replace(/<.*/, '').trim());
  const main = (): Locator => page.getByRole('main');
  const row = (key: string): Locator => main().getByRole('row').filter({ hasText: key });
  const panel = (title: string): Locator =>
    main().locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
  const moment = (): number => Number(new URL(page.url()).searchParams.get('at'));
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const momentIs = (is: (at: number) => boolean): Promise<unknown> =>
    until('the address names the moment', () => is(moment()), PATIENCE_MS);

  it('shows by a link who held the lock then, and what came of it', async () => {
    await page.goto(`/locks?at=${alpha.start}`);
    await band().waitFor();
    await row(KEY).waitFor();
    expect(await row(KEY).textContent()).toContain('alpha');
    expect(await row(KEY).textContent()).toContain(en.labels.endReasons.released);
    expect(await row('mutex:nightly').textContent()).toContain(en.past.stillHeld);
  });

  it('offers nothing to do there', async () => {
    const names = await page.getByRole('button').allTextContents();
    expect(names.filter((name) => /release|repair|pin|drop|wake/i.test(name))).toEqual([]);
  });

  it('leads to the lock at the same moment, which has no button to release it', async () => {
    await row(KEY).getByRole('link').click();
    await page.waitForURL(`**${lockHref(lock, alpha.start)}`);
    await panel(en.past.holder.title).getByText('alpha').waitFor();
    expect(await button(en.lock.release).count()).toBe(0);
  });

  it('steps from hold to hold', async () => {
    await button(en.past.nextHold).click();
    await panel(en.past.holder.title).getByText('beta').waitFor();
    expect(moment()).toBe(beta.start);
    await until('there is no later hold', () => button(en.past.nextHold).isDisabled());
    await button(en.past.previousHold).click();
    await panel(en.past.holder.title).getByText('alpha').waitFor();
    expect(moment()).toBe(alpha.start);
  });

  it('goes back by the browser as it came', async () => {
    await page.goBack();
    await panel(en.past.holder.title).getByText('beta').waitFor();
    await page.goBack();
    await panel(en.past.holder.title).getByText('alpha').waitFor();
  });

  it('tells who held it at an exact millisecond', async () => {
    const goTo = async (time: number): Promise<void> => {
      await page.getByLabel(en.past.exactTime).fill(await localText(page, time));
      await page.keyboard.press('Enter');
      await momentIs((now) => now === time);
    };
    const end = alpha.end ?? 0;
    await goTo(end - 1);
    await panel(en.past.holder.title).getByText('alpha').waitFor();
    await goTo(end);
    await panel(en.past.holder.title).getByText(en.past.holder.nobody).waitFor();
    await goTo(beta.start);
    await panel(en.past.holder.title).getByText('beta').waitFor();
    await goTo(beta.start - 1);
    await panel(en.past.holder.title).getByText(en.past.holder.nobody).waitFor();
  });

  it('moves by the keys of the scrubber', async () => {
    const before = moment();
    await page.getByRole('slider', { name: en.past.scrubber }).focus();
    await page.keyboard.press('ArrowLeft');
    await momentIs((now) => now === before - 1000);
    await page.keyboard.press('Shift+ArrowLeft');
    await momentIs((now) => now === before - 61_000);
    await page.keyboard.press('PageUp');
    await band().waitFor({ state: 'detached' });
  });

  it('comes back to the present, where the lock can be released again', async () => {
    await at.client.set(KEY, 'delta', 'PX', 600_000);
    await page.goto(lockHref(lock, beta.start));
    await panel(en.past.holder.title).getByText('beta').waitFor();
    await button(`${en.past.toNow} ${en.past.escape}`).click();
    await button(en.lock.release).waitFor();
    await panel(en.lock.holder.title).getByText('delta').first().waitFor();
    expect(await band().count()).toBe(0);
    await page.goBack();
    await band().waitFor();
    await main().focus();
    await page.keyboard.press('Escape');
    await button(en.lock.release).waitFor();
  });

  it('is a quiet button until it is opened, and steps from now', async () => {
    await page.goto('/locks');
    await alive(page);
    await button(en.past.open).click();
    await page.getByRole('slider', { name: en.past.scrubber }).waitFor();
    expect(await band().count()).toBe(0);
    const before = Date.now();
    await button(en.past.minuteBack).click();
    await band().waitFor();
    expect(Math.abs(before - 60_000 - moment())).toBeLessThan(15_000);
  });

  it('says so of a moment before anything was kept', async () => {
    await page.goto(`/locks?at=${alpha.start - 3_600_000}`);
    await main().getByText(en.past.notices.unkept).waitFor();
    await main().getByText(en.past.empty.unknown).first().waitFor();
  });

  it('shows deadlocks and the heatmap of the moment as well', async () => {
    await page.goto(`/deadlocks?at=${alpha.start}`);
    await band().waitFor();
    await main().getByText(en.deadlocks.noneThen).waitFor();
    await page.goto(`/heatmap?at=${alpha.end}`);
    await band().waitFor();
    await main().getByRole('heading', { level: 1, name: en.shell.pages.heatmap }).waitFor();
    await page.keyboard.press('Escape');
    await band().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ])('is accessible, %s and %s px wide', async (theme, width) => {
    const view = await page.context().newPage();
    await view.setViewportSize({ width, height: 900 });
    await view.addInitScript(`localStorage.setItem('theme', '${theme}')`);
    const moments = `?at=${beta.start}`;
    const paths = { locks: `/locks${moments}`, lock: lockHref(lock, beta.start) };
    const others = { deadlocks: `/deadlocks${moments}`, heatmap: `/heatmap${moments}` };
    for (const [name, path] of Object.entries({ ...paths, ...others })) {
      await view.goto(path);
      await view.getByRole('slider', { name: en.past.scrubber }).waitFor();
      await alive(view);
      await view.screenshot({ path: join(RESULTS, `past-${name}-${width}-${theme}.png`) });
      expect(await accessibilityProblems(view)).toEqual([]);
    }
    await view.close();
  });

  it('did all this without an error', () => {
    expect(errors).toEqual([]);
  });
});

/** A moment as the field takes it: by the clock of the browser, to the millisecond. */
async function localText(page: Page, time: number): Promise<string> {
  return await page.evaluate<string>(
    `new Date(${time} - new Date(${time}).getTimezoneOffset() * 60000).toISOString().slice(0, -1)`,
  );
}
