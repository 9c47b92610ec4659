import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import type { Alert } from '@/lib/protocol/alert';
import type { AuditPage } from '@/lib/protocol/audit';
import { collectErrors, signInLink, startBrowser } from '@/test/support/browser';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const PATIENCE_MS = 60_000;
const CODE = 'no-expiry';
const RULES = en.rules;
const SILENCES = en.silences;

describe('rules and silences in the browser', { timeout: 120_000 }, () => {
  const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'lock:*', LOCKSCOPE_NO_EXPIRY_MS: '1000' } });
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage({
      baseURL: at.console.url,
      viewport: { width: 1440, height: 900 },
    });
    errors = collectErrors(page);
    await page.goto(await signInLink(at.console));
    await at.client.set('lock:quick:1', 'worker-a');
    await at.client.set('lock:slow:1', 'worker-a');
    await isInState('lock:quick:1', 'firing');
    await isInState('lock:slow:1', 'firing');
  });

  afterAll(async () => await browser?.close());

  const about = async (key: string): Promise<Alert | undefined> =>
    (await at.console.alerts(CODE)).find(({ subject }) => subject.label.includes(key));
  const isInState = async (key: string, state: Alert['state']): Promise<unknown> =>
    await until(`${key} is ${state}`, async () => (await about(key))?.state === state, PATIENCE_MS);
  const rule = (): Locator =>
    page.getByRole('table', { name: RULES.table }).getByRole('row').filter({ hasText: CODE });
  const dialog = (): Locator => page.getByRole('dialog');
  const press = async (name: string): Promise<void> =>
    await dialog().getByRole('button', { name, exact: true }).click();

  it('lists a rule for each kind, and finds one', async () => {
    await page.goto('/alerts/rules');
    await rule().waitFor();
    expect(await rule().textContent()).toContain('1s');
    await page.getByLabel(RULES.search, { exact: true }).fill('no exp');
    await until(
      'one is left',
      async () =>
        (await page.getByRole('table', { name: RULES.table }).getByRole('row').count()) === 2,
    );
  });

  it('says what cannot be read, and saves nothing of it', async () => {
    await page.getByRole('button', { name: `Change the rule of ${CODE}`, exact: true }).click();
    const threshold = dialog().getByLabel(RULES.fields.valueText, { exact: true });
    await threshold.fill('90');
    await dialog().getByText(RULES.wrong['no-unit']).waitFor();
    await threshold.fill('5x');
    await dialog().getByText(RULES.wrong.unreadable).waitFor();
    await dialog().getByLabel(RULES.reason, { exact: true }).fill('imports are slow');
    expect(await dialog().getByRole('button', { name: RULES.save }).isDisabled()).toBe(true);
  });

  it('tries a rule on the past before it is saved', async () => {
    await dialog().getByLabel(RULES.fields.valueText, { exact: true }).fill('1h');
    await press(RULES.dry.run);
    await dialog()
      .getByText(/It would (not )?have fired|The history does not tell/)
      .first()
      .waitFor();
  });

  it('saves it with a reason, and what fired by the old one resolves', async () => {
    await press(RULES.save);
    await dialog().waitFor({ state: 'hidden' });
    await until('the table has it', async () => (await rule().textContent())?.includes('1h'));
    expect(await rule().textContent()).toContain('standard: 1s');
    await isInState('lock:quick:1', 'resolved');
    await isInState('lock:slow:1', 'resolved');
    const { items } = await at.console.get<AuditPage>('/audit');
    expect(items.find(({ action }) => action === 'rule.save')).toMatchObject({
      reason: 'imports are slow',
      outcome: 'done',
    });
  });

  it('takes an exception for one class, which alone fires then', async () => {
    await page.getByRole('button', { name: `Add an exception to ${CODE} for a class` }).click();
    await dialog().getByLabel(RULES.class, { exact: true }).fill('lock:quick:*');
    await dialog().getByLabel(RULES.fields.valueText, { exact: true }).fill('500ms');
    await dialog().getByLabel(RULES.reason, { exact: true }).fill('these must be quick');
    await press(RULES.save);
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('row').filter({ hasText: 'lock:quick:*' }).waitFor();
    await isInState('lock:quick:1', 'firing');
    expect((await about('lock:slow:1'))?.state).toBe('resolved');
  });

  it('goes back to the standard', async () => {
    await page.getByRole('button', { name: `Change the rule of ${CODE}`, exact: true }).click();
    await dialog().getByLabel(RULES.reason, { exact: true }).fill('enough of it');
    await press(RULES.reset);
    await dialog().waitFor({ state: 'hidden' });
    await isInState('lock:slow:1', 'firing');
  });

  it('shows what a silence would keep quiet before it is added', async () => {
    await page.goto('/alerts/silences');
    await page.getByText(SILENCES.none).waitFor();
    await page.getByRole('button', { name: SILENCES.add }).click();
    await dialog().getByText(SILENCES.tooWide).waitFor();
    await dialog().getByLabel(SILENCES.fields.code, { exact: true }).selectOption(CODE);
    await dialog().getByText('2 open alerts fit.').waitFor();
    await dialog().getByLabel(SILENCES.fields.key, { exact: true }).fill('lock:slow:*');
    await dialog().getByText('1 open alert fits.').waitFor();
    await dialog().getByLabel(SILENCES.reason, { exact: true }).fill('being rebuilt');
    await press(SILENCES.add);
    await dialog().waitFor({ state: 'hidden' });
    await page.getByRole('row').filter({ hasText: 'lock:slow:*' }).waitFor();
    await isInState('lock:slow:1', 'silenced');
    expect((await about('lock:quick:1'))?.state).toBe('firing');
  });

  it('ends a silence, and what it kept quiet fires again', async () => {
    await page.getByRole('button', { name: SILENCES.end }).click();
    await dialog().getByLabel(SILENCES.reason, { exact: true }).fill('it is rebuilt');
    await press(SILENCES.end);
    await dialog().waitFor({ state: 'hidden' });
    await page.getByText(SILENCES.none).waitFor();
    await isInState('lock:slow:1', 'firing');
  });

  it('silences what is similar from the page of an alert', async () => {
    const alert = await about('lock:quick:1');
    await page.goto(`/alerts/${encodeURIComponent(alert?.id ?? '')}`);
    await page.getByRole('button', { name: en.alerts.silenceSimilar }).click();
    expect(await dialog().getByLabel(SILENCES.fields.code, { exact: true }).inputValue()).toBe(
      CODE,
    );
    await dialog().getByText('1 open alert fits.').waitFor();
    await dialog().getByLabel(SILENCES.reason, { exact: true }).fill('known');
    await press(SILENCES.add);
    await dialog().waitFor({ state: 'hidden' });
    await isInState('lock:quick:1', 'silenced');
  });

  it('did all this without an error', () => {
    expect(errors).toEqual([]);
  });
});
