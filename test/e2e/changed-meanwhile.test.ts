import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import { signInLink, startBrowser } from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const CODE = 'no-expiry';
const RULES = en.rules;

describe('two people who change the same rule', { timeout: 180_000 }, () => {
  const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'lock:*' } });
  let browsers: Browser[] = [];
  let pages: Page[] = [];

  beforeAll(async () => {
    browsers = [await startBrowser(), await startBrowser()];
    const [ada, ben] = browsers;
    if (!ada || !ben) throw new Error('two browsers are needed');
    const first = await ada.newContext({ baseURL: at.console.url });
    const page = await first.newPage();
    await page.goto(await signInLink(at.console));
    await until('a session is there', async () => (await first.cookies()).length > 0);
    const second = await ben.newContext({
      baseURL: at.console.url,
      storageState: await first.storageState(),
    });
    const other = await second.newPage();
    pages = [page, other];
  }, 120_000);

  afterAll(async () => {
    for (const browser of browsers) await browser.close();
  });

  const pageOf = (who: 0 | 1): Page => {
    const page = pages[who];
    if (!page) throw new Error('there is no such page');
    return page;
  };
  const dialog = (who: 0 | 1): Locator => pageOf(who).getByRole('dialog');
  /** The threshold in milliseconds. */
  const setNow = async (): Promise<number> => {
    const { rules } = await at.console.query('rules', {});
    const threshold = rules.find(({ code }) => code === CODE)?.setting.threshold;
    return threshold?.kind === 'static' ? threshold.value : Number.NaN;
  };
  const threshold = (who: 0 | 1): Locator =>
    dialog(who).getByLabel(RULES.fields.valueText, { exact: true });
  /** Begins with what is set, as its page is told of it within a moment. */
  const open = async (who: 0 | 1): Promise<void> => {
    await pageOf(who).goto('/alerts/rules');
    const change = pageOf(who).getByRole('button', {
      name: `Change the rule of ${CODE}`,
      exact: true,
    });
    const row = pageOf(who).getByRole('row').filter({ has: change });
    const setMs = await setNow();
    await row.filter({ hasText: `${setMs / 1000}s` }).waitFor();
    await change.click();
    await threshold(who).waitFor();
  };
  const fill = async (who: 0 | 1, value: string): Promise<void> => {
    await threshold(who).fill(value);
    await dialog(who).getByLabel(RULES.reason, { exact: true }).fill('as we agreed');
  };
  const press = (who: 0 | 1, name: string): Promise<void> =>
    dialog(who).getByRole('button', { name, exact: true }).click();
  /** The second form was open all the while. */
  const savedBefore = async (theirs: string, mine: string): Promise<void> => {
    await open(1);
    await open(0);
    await fill(0, theirs);
    await press(0, RULES.save);
    await dialog(0).waitFor({ state: 'hidden' });
    await fill(1, mine);
    await press(1, RULES.save);
    await dialog(1).getByText('changed it meanwhile').waitFor();
  };

  it('has the slower one told, who looks at what the other set', async () => {
    await savedBefore('41s', '42s');
    expect(await setNow()).toBe(41_000);
    await press(1, en.ui.showTheirs);
    await until('theirs is shown', async () => (await threshold(1).inputValue()) === '41s');
    await fill(1, '43s');
    await press(1, RULES.save);
    await dialog(1).waitFor({ state: 'hidden' });
    expect(await setNow()).toBe(43_000);
  });

  it('lets the slower one save over it', async () => {
    await savedBefore('51s', '52s');
    expect(await setNow()).toBe(51_000);
    await press(1, en.ui.mineOverIt);
    await dialog(1).waitFor({ state: 'hidden' });
    expect(await setNow()).toBe(52_000);
  });
});
