import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertHref } from '@/components/labels/alert-href';
import { en } from '@/lib/messages/en';
import type { Alert, AlertDetail } from '@/lib/protocol/alert';
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
const PATIENCE_MS = 60_000;
const REASON = 'the nightly import is known';
const VIEWER = { email: 'vera@example.com', password: 'a-long-password-of-vera' };
const KEYS = ['lock:import:1', 'lock:import:2', 'lock:report:1'];
const CODE = 'no-expiry';

/** What a tab in the background would have shown; kept by the page itself. */
const RECORD_NOTIFICATIONS = `
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, options) { super(); window.told.push({ title, ...options }); window.last = this; }
    close() {}
  };
  Object.defineProperty(document, 'visibilityState', { get: () => window.isAway ? 'hidden' : 'visible' });
`;
const LEAVE = `window.isAway = true; document.dispatchEvent(new Event('visibilitychange'))`;

describe('alerts in the browser', { timeout: 120_000 }, () => {
  const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'lock:*', LOCKSCOPE_NO_EXPIRY_MS: '1000' } });
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    browser = await startBrowser();
    context = await browser.newContext({
      baseURL: at.console.url,
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    errors = collectErrors(page);
    await page.goto(await signInLink(at.console));
    const body = { ...VIEWER, name: 'Vera', role: 'viewer' };
    await at.console.request('POST', '/api/v1/users', { body });
    for (const key of KEYS) await at.client.set(key, 'worker-a');
  });

  afterAll(async () => await browser?.close());

  const about = async (key: string): Promise<Alert | undefined> =>
    (await at.console.alerts(CODE)).find(({ subject }) => subject.label.includes(key));
  const alertAbout = async (key: string): Promise<Alert> =>
    await until(`there is an alert about ${key}`, () => about(key), PATIENCE_MS);
  const rows = (): Locator => page.locator('[data-alert]');
  const row = (key: string): Locator => rows().filter({ hasText: key });
  const isInState = async (key: string, state: Alert['state']): Promise<unknown> =>
    await until(`${key} is ${state}`, async () => (await about(key))?.state === state, PATIENCE_MS);

  it('are listed, and grouped by class with their number', async () => {
    await page.goto(`/alerts?code=${CODE}&group=class`);
    for (const key of KEYS) await row(key).waitFor();
    const group = page.getByRole('button', { name: /lock:import:\*/ });
    expect(await group.textContent()).toContain('2 alerts');
    await group.click();
    await until('the group is folded', async () => (await rows().count()) === 1);
    await group.click();
    await until('it is unfolded', async () => (await rows().count()) === 3);
  });

  it('keep their places while somebody works in them, and show what is new when asked', async () => {
    await page.goto(`/alerts?code=${CODE}`);
    await row(KEYS[2] ?? '').waitFor();
    await page.keyboard.press('j');
    await until(
      'the first row has the focus',
      async () =>
        (await rows()
          .first()
          .locator('a')
          .first()
          .evaluate((link) => link.matches(':focus'))) === true,
    );
    const places = async (): Promise<unknown> =>
      await rows().evaluateAll((all) =>
        all.map((each) => [each.getAttribute('data-alert'), each.getBoundingClientRect().top]),
      );
    const before = await places();
    await at.client.set('lock:late', 'worker-b');
    const fresh = page.getByRole('button', { name: 'Show 1 new' });
    await fresh.waitFor();
    expect(await places()).toEqual(before);
    await fresh.click();
    await row('lock:late').waitFor();
    await at.client.del('lock:late');
  });

  it('are acknowledged together by keyboard, with one reason', async () => {
    await page.goto(`/alerts?code=${CODE}&q=lock:import`);
    await row(KEYS[1] ?? '').waitFor();
    await until('they are the only ones', async () => (await rows().count()) === 2);
    for (const key of ['j', 'x', 'j', 'Shift+X']) await page.keyboard.press(key);
    await page.getByText('2 chosen').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Acknowledge 2 alerts`).waitFor();
    await until(
      'its field has the focus',
      async () =>
        await dialog
          .getByRole('textbox')
          .first()
          .evaluate((field) => field.matches(':focus')),
    );
    await page.keyboard.type(REASON);
    await dialog.getByRole('button', { name: en.alerts.acknowledge }).click();
    await dialog.waitFor({ state: 'hidden' });
    await isInState('lock:import:1', 'acknowledged');
    await isInState('lock:import:2', 'acknowledged');
    expect((await about('lock:report:1'))?.state).toBe('firing');
    // Still in the list, and said to be so.
    await row('lock:import:1').getByText(en.alerts.states.acknowledged).waitFor();
    await page.keyboard.press('Escape');
    await until('nothing is chosen', async () => (await page.getByText(/\d chosen/).count()) === 0);
  });

  it('does not take the second key of a jump for a key of the list', async () => {
    await page.goto(`/alerts?code=${CODE}&q=lock:report`);
    await row('lock:report:1').waitFor();
    for (const key of ['j', 'g', 's']) await page.keyboard.press(key);
    await page.waitForURL(/\/settings/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('have a page that tells what was seen and who did what', async () => {
    await page.goto(`/alerts?code=${CODE}&q=lock:import:1`);
    await row('lock:import:1').getByRole('link', { name: 'No expiry' }).click();
    await page.getByRole('heading', { level: 1, name: 'No expiry' }).waitFor();
    const timeline = page.getByRole('list', { name: en.incident.timeline });
    await timeline.getByText(en.incident.kinds.fired, { exact: true }).waitFor();
    const acted = timeline.getByRole('listitem').filter({ hasText: REASON });
    await acted.first().waitFor();
    expect(await acted.first().textContent()).toMatch(/\d\d:\d\d:\d\d\.\d{3}/);
    await page.getByRole('button', { name: en.incident.sorts.done }).click();
    await until(
      'only what people did is left',
      async () =>
        (await timeline.getByText(en.incident.kinds.fired, { exact: true }).count()) === 0,
    );
    await acted.first().waitFor();
  });

  it('are handed over by a link that carries the moment and the view, through signing in', async () => {
    await page.getByRole('button', { name: en.incident.handOver }).click();
    await page.getByRole('button', { name: en.incident.handOverCopied }).waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(/\/alerts\/[^?]+\?at=\d{13}&events=done$/);
    const stranger = await browser.newContext({ baseURL: at.console.url });
    const other = await stranger.newPage();
    await other.goto(link);
    expect(new URL(other.url()).pathname).toBe('/sign-in');
    await other.getByLabel(en.signIn.email).fill(VIEWER.email);
    await other.getByLabel(en.signIn.password).fill(VIEWER.password);
    await other.getByRole('button', { name: en.signIn.submit }).click();
    await other.getByText(/^Handed over at/).waitFor();
    expect(other.url()).toBe(link);
    await other.getByText(en.incident.handedOver).waitFor();
    // One who may only read is told so.
    await other.getByText(en.alerts.viewerCannot).waitFor();
    expect(await other.getByRole('button', { name: en.alerts.silence }).first().isDisabled()).toBe(
      true,
    );
    await stranger.close();
  });

  it('are exported for a post-mortem and for programs', async () => {
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: en.incident.exports.markdown }).click();
    expect((await saving).suggestedFilename()).toMatch(/\.md$/);
    const { id } = await alertAbout('lock:import:1');
    const path = `/api/v1/alerts/${encodeURIComponent(id)}/export?as=json`;
    const { body } = await at.console.request<AlertDetail>('GET', path);
    expect(JSON.stringify(body)).toContain(REASON);
  });

  it('resolve on their page without a reload', async () => {
    await at.client.del('lock:import:1');
    await page
      .getByRole('main')
      .getByText(en.alerts.states.resolved, { exact: true })
      .first()
      .waitFor();
  });

  it('that nobody knows may be older than what is kept', async () => {
    await page.goto(alertHref({ id: 'none-such' }));
    await page.getByRole('heading', { level: 1, name: en.incident.missing }).waitFor();
    await page.getByText(en.incident.missingText).waitFor();
  });

  it('are counted in the title and the icon of the tab', async () => {
    await page.goto('/locks');
    await until('the title counts', async () => /^\(\d+\) /.test(await page.title()), PATIENCE_MS);
    await until('the icon is drawn', async () => {
      const icon = await page.locator('link[rel="icon"]').first().getAttribute('href');
      return icon?.startsWith('data:image/png');
    });
    // It is said on the next page as well.
    await page
      .getByRole('link', { name: /^Audit/ })
      .first()
      .click();
    await page.waitForURL(/\/audit/);
    await until('the title counts', async () => /^\(\d+\) Audit/.test(await page.title()));
  });

  it('call once when all tabs are in the background, and lead to the incident', async () => {
    const away = await browser.newContext({
      baseURL: at.console.url,
      storageState: await context.storageState(),
    });
    await away.addInitScript(RECORD_NOTIFICATIONS);
    const tabs = [await away.newPage(), await away.newPage()];
    for (const tab of tabs) {
      await tab.goto(`/alerts?code=${CODE}`);
      await tab.locator('[data-alert]').first().waitFor();
    }
    const [first] = tabs;
    if (!first) throw new Error('there are tabs');
    await first.getByRole('button', { name: en.alerts.attention.button }).click();
    await first.getByLabel(en.alerts.attention.notify).check();
    await first.keyboard.press('Escape');
    const told = async (): Promise<{ tab: Page; tag: string; title: string }[]> =>
      (
        await Promise.all(
          tabs.map(async (tab) =>
            (await tab.evaluate<{ tag: string; title: string }[]>('window.told')).map((each) => ({
              ...each,
              tab,
            })),
          ),
        )
      ).flat();

    // In view nobody is called.
    await at.client.set('lock:seen', 'worker-c');
    const seen = await alertAbout('lock:seen');
    for (const tab of tabs) await tab.locator(`[data-alert="${seen.id}"]`).waitFor();
    expect(await told()).toEqual([]);

    for (const tab of tabs) await tab.evaluate(LEAVE);
    await at.client.set('lock:unseen', 'worker-c');
    const unseen = await alertAbout('lock:unseen');
    await until('somebody is called', async () => (await told()).length > 0, PATIENCE_MS);
    for (const tab of tabs) await tab.locator(`[data-alert="${unseen.id}"]`).waitFor();
    const [one, ...others] = await told();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ tag: unseen.id });
    expect(one?.title).toContain(en.labels.alertCodes[CODE]);

    await one?.tab.evaluate(`window.last.dispatchEvent(new Event('click'))`);
    await one?.tab.waitForURL((url) => url.pathname === alertHref(unseen));
    await away.close();
  });

  const looks = ['review', 'alert', 'rules', 'silences'].flatMap((name) =>
    (['light', 'dark'] as const).flatMap((theme) =>
      [1440, 390].map((width) => ({ name, theme, width })),
    ),
  );

  it.each(looks)('are accessible, $name, $theme and $width wide', async (look) => {
    const { id } = await alertAbout('lock:report:1');
    const paths: Record<string, string> = {
      review: '/alerts?group=class',
      alert: `${alertHref({ id })}?at=${Date.now()}`,
      rules: '/alerts/rules',
      silences: '/alerts/silences',
    };
    await page.evaluate(`localStorage.setItem('theme', '${look.theme}')`);
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.goto(paths[look.name] ?? '');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await alive(page);
    const file = `alerts-${look.name}-${look.width}-${look.theme}.png`;
    await page.screenshot({ path: join(RESULTS, file) });
    expect(await accessibilityProblems(page)).toEqual([]);
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wider)).toBe(0);
  });

  it('did all this without an error', () => {
    // An alert that nobody knows is answered over the socket, and none of this is an error of the page.
    expect(errors).toEqual([]);
  });
});
