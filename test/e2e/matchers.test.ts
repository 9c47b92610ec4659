import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import type { Alert } from '@/lib/protocol/alert';
import {
  accessibilityProblems,
  collectErrors,
  signInLink,
  startBrowser,
} from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const CODE = 'no-expiry';
const SILENCES = en.silences;
const NOTIFY = en.notifications;
const CLASS_AS_PATTERN = en.ui.fitting.asPatternOf.replace('{field}', SILENCES.fields.class);

describe('forms that say what a pattern fits', { timeout: 300_000 }, () => {
  const at = watchedRedis({
    env: { LOCKSCOPE_WATCH: 'shop:*,bank:*', LOCKSCOPE_NO_EXPIRY_MS: '500' },
  });
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage({ baseURL: at.console.url });
    errors = collectErrors(page);
    await page.goto(await signInLink(at.console));
    for (const key of ['shop:order:1', 'shop:order:1:item', 'bank:account:1']) {
      await at.client.set(key, 'worker-a');
      await isInState(key, 'firing');
    }
  }, 300_000);
  afterAll(async () => await browser?.close());

  const about = async (key: string): Promise<Alert | undefined> =>
    (await at.console.alerts(CODE)).find(({ subject }) => subject.label === key);
  const isInState = async (key: string, state: Alert['state']): Promise<unknown> =>
    await until(`${key} is ${state}`, async () => (await about(key))?.state === state);
  const dialog = (): Locator => page.getByRole('dialog');
  const field = (label: string): Locator => dialog().getByLabel(label, { exact: true });
  const press = (name: string): Promise<void> =>
    dialog().getByRole('button', { name, exact: true }).click();

  it('takes a class with a star in its name for a name, and says so', async () => {
    await page.goto('/alerts/silences');
    await page.getByRole('button', { name: SILENCES.add }).click();
    await field(SILENCES.fields.class).fill('shop:order:*');
    await dialog().getByText('1 open alert fits.').waitFor();
    expect(await dialog().getByText('shop:order:1', { exact: true }).count()).toBe(1);
    await field(SILENCES.fields.class).fill('shop:*');
    await dialog().getByText('No open alert fits').waitFor();
    await dialog().getByText('Nothing is called so now. As a pattern it fits 2:').waitFor();
  });

  it('shows what it fits as a pattern, and keeps that quiet once it is added', async () => {
    await field(CLASS_AS_PATTERN).check();
    await dialog().getByText('2 open alerts fit.').waitFor();
    await dialog().getByText('Fits 2 that are there now: shop:order:*').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await field(SILENCES.reason).fill('the shop is being rebuilt');
    await press(SILENCES.add);
    await dialog().waitFor({ state: 'hidden' });
    await page
      .getByRole('row')
      .filter({ hasText: 'Class like' })
      .filter({ hasText: 'shop:*' })
      .waitFor();
    await isInState('shop:order:1', 'silenced');
    await isInState('shop:order:1:item', 'silenced');
    expect((await about('bank:account:1'))?.state).toBe('firing');
    const { silences } = await at.console.query('rules');
    expect(silences).toMatchObject([{ matcher: { class: { glob: 'shop:*' } }, matching: 2 }]);
  });

  it('says which alerts a route leads somewhere, and keeps names and patterns apart', async () => {
    const settings = { kind: 'webhook', url: 'http://127.0.0.1:9/hook' };
    await at.console.request('POST', '/api/v1/notify/channels', {
      body: { name: 'ops', settings, reason: 'for a route' },
    });
    await page.goto('/notifications');
    await page.getByRole('button', { name: NOTIFY.addRoute }).click();
    await field(NOTIFY.patterns).fill('sho?\nban*');
    await dialog().getByText('3 open alerts fit.').waitFor();
    await dialog().getByText('Fits 2 that are there now:').waitFor();
    await field(NOTIFY.patterns).fill('sho?');
    await field(NOTIFY.namespaces).fill('bank*');
    await dialog().getByText('2 open alerts fit.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await field('ops').check();
    await field(NOTIFY.form.reason).fill('the shop matters most');
    await press(NOTIFY.route.save);
    await page.getByText('bank*, like sho?').waitFor();
    const namespaces = ['bank*', { glob: 'sho?' }];
    expect((await at.console.query('notify')).routes).toMatchObject([{ namespaces }]);
    await page.getByRole('button', { name: NOTIFY.editRoute }).click();
    expect(await field(NOTIFY.namespaces).inputValue()).toBe('bank*');
    expect(await field(NOTIFY.patterns).inputValue()).toBe('sho?');
  });

  it('did all this without an error', () => {
    expect(errors).toEqual([]);
  });
});
