import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { Channel, Route } from '@/lib/protocol/notify';
import { collectErrors, signInLink, startBrowser } from '@/test/support/browser';
import { nest } from '@/test/support/nested-holds';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const NOTIFY = en.notifications;
const ORDERS = en.deadlocks;
const URL = 'http://127.0.0.1:9/hook';
/** As one who acts by the API while the page stands open. */
const reason = 'set by somebody else';

describe('a form that somebody else was faster with', { timeout: 300_000 }, () => {
  const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'shop:*' } });
  let browser: Browser;
  let page: Page;
  let errors: string[];
  /** While true the page hears of no change: what it knows is what it was opened with. */
  let isDeaf = false;

  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage({ baseURL: at.console.url });
    await page.routeWebSocket(/socket\.io/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (!isDeaf || !String(message).includes('query:frame')) socket.send(message);
      });
    });
    errors = collectErrors(page);
    await page.goto(await signInLink(at.console));
  });
  afterEach(() => void (isDeaf = false));
  afterAll(async () => await browser?.close());

  const dialog = (): Locator => page.getByRole('dialog');
  const press = (name: string): Promise<void> =>
    dialog().getByRole('button', { name, exact: true }).click();
  const isClosed = (): Promise<void> => dialog().waitFor({ state: 'hidden' });
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await at.console.request<T>('POST', `/api/v1${path}`, { body });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const notifyNow = () => at.console.query('notify');

  describe('of a channel', () => {
    const saved = (name: string, id?: string) =>
      post<{ channel: Channel }>('/notify/channels', {
        ...{ name, settings: { kind: 'webhook', url: URL }, reason },
        ...(id !== undefined && { id }),
      });
    const opened = async (name: string): Promise<void> => {
      await page.goto('/notifications');
      await page.getByRole('button', { name: NOTIFY.editTitle.replace('{name}', name) }).click();
      await dialog().getByLabel(NOTIFY.form.testAfter).uncheck();
      await dialog().getByLabel(NOTIFY.form.reason).fill('mine is better');
    };
    const nameField = (): Locator => dialog().getByLabel(NOTIFY.name, { exact: true });

    it('saves over it with one press, although the page has not heard of it yet', async () => {
      const { channel } = await saved('ops');
      await opened('ops');
      isDeaf = true;
      await nameField().fill('ops by day');
      await saved('ops at night', channel.id);
      await press(NOTIFY.form.save);
      await dialog().getByText('changed it meanwhile').waitFor();
      expect((await notifyNow()).channels).toMatchObject([{ name: 'ops at night' }]);
      await press(en.ui.mineOverIt);
      await isClosed();
      expect((await notifyNow()).channels).toMatchObject([{ id: channel.id, name: 'ops by day' }]);
    });

    it('shows what the other one set once it is there, and saves on top of that', async () => {
      const [before] = (await notifyNow()).channels;
      await opened('ops by day');
      await nameField().fill('ops');
      await saved('ops at dawn', before?.id);
      await press(NOTIFY.form.save);
      await press(en.ui.showTheirs);
      await until(
        'theirs is shown',
        async () => (await nameField().inputValue()) === 'ops at dawn',
      );
      await nameField().fill('ops at noon');
      await press(NOTIFY.form.save);
      await isClosed();
      expect((await notifyNow()).channels).toMatchObject([{ name: 'ops at noon' }]);
    });

    it('adds it anew where the other one removed it', async () => {
      const [before] = (await notifyNow()).channels;
      await opened('ops at noon');
      await nameField().fill('ops at dusk');
      await at.console.request('DELETE', `/api/v1/notify/channels/${before?.id}`, {
        body: { reason },
      });
      await press(NOTIFY.form.save);
      await dialog().getByText('took it back meanwhile').waitFor();
      await press(en.ui.mineOverIt);
      await isClosed();
      const { channels } = await notifyNow();
      expect(channels).toMatchObject([{ name: 'ops at dusk' }]);
      expect(channels[0]?.id).not.toBe(before?.id);
    });
  });

  describe('of a route', () => {
    const route = async (id: string, changes: Partial<Route>): Promise<Route> => {
      const channels = (await notifyNow()).channels.map((channel) => channel.id);
      return { id, least: 'warning', namespaces: [], channels, resolved: true, ...changes };
    };
    const setAll = async (...routes: Promise<Route>[]) =>
      await post('/notify/routes', { routes: await Promise.all(routes), reason });
    const rowOf = (text: string): Locator => page.getByRole('row').filter({ hasText: text });
    const opened = async (text: string, button: string): Promise<void> => {
      await page.goto('/notifications');
      await rowOf(text).getByRole('button', { name: button }).click();
      await dialog().getByLabel(NOTIFY.form.reason).fill('mine is better');
    };
    const namespacesNow = async () => (await notifyNow()).routes.map((each) => each.namespaces);

    it('asks nothing where only another route was changed, and leaves that as it is now', async () => {
      await setAll(route('a', { namespaces: ['pay'] }), route('b', { namespaces: ['stock'] }));
      await opened('pay', NOTIFY.editRoute);
      isDeaf = true;
      await dialog().getByLabel(NOTIFY.namespaces, { exact: true }).fill('payments');
      await setAll(route('a', { namespaces: ['pay'] }), route('b', { namespaces: ['goods'] }));
      await press(NOTIFY.route.save);
      await isClosed();
      expect(await namespacesNow()).toEqual([['payments'], ['goods']]);
    });

    it('saves over it with one press, and keeps what was done to other routes', async () => {
      await opened('payments', NOTIFY.editRoute);
      isDeaf = true;
      await dialog().getByLabel(NOTIFY.namespaces, { exact: true }).fill('bank');
      await setAll(route('a', { namespaces: ['cash'] }), route('c', { namespaces: ['staff'] }));
      await press(NOTIFY.route.save);
      await dialog().getByText('changed it meanwhile').waitFor();
      expect(await namespacesNow()).toEqual([['cash'], ['staff']]);
      await press(en.ui.mineOverIt);
      await isClosed();
      expect(await namespacesNow()).toEqual([['bank'], ['staff']]);
    });

    it('removes it with one press, and keeps what was done to other routes', async () => {
      await opened('bank', NOTIFY.removeRoute);
      isDeaf = true;
      await setAll(route('a', { namespaces: ['cash'] }), route('d', { namespaces: ['cars'] }));
      await press(NOTIFY.remove);
      await dialog().getByText('changed it meanwhile').waitFor();
      await press(en.ui.allTheSame);
      await isClosed();
      expect(await namespacesNow()).toEqual([['cars']]);
    });
  });

  describe('of an order that is meant', () => {
    const A = 'b983c153-7421-469a-addb-44fb92259a1b:11';
    const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:22';
    const predicted = async (): Promise<Deadlock | undefined> =>
      (await at.console.query('deadlocks')).find(({ state }) => state === 'predicted');

    it('saves over it with one press, and takes back nothing twice', async () => {
      await nest(at, A, 'shop:stock', 'shop:order');
      await nest(at, B, 'shop:order', 'shop:stock');
      const { id } = await until('it is predicted', predicted);
      await page.goto('/deadlocks?show=predicted');
      await page.getByRole('button', { name: ORDERS.intend }).click();
      isDeaf = true;
      await dialog().getByLabel(ORDERS.reason, { exact: true }).fill('they never meet');
      await post(`/orders/${id}/intend`, { reason });
      await press(ORDERS.intendConfirm);
      await dialog().getByText('said so meanwhile').waitFor();
      expect((await predicted())?.intended?.reason).toBe(reason);
      await press(en.ui.mineOverIt);
      await isClosed();
      expect((await predicted())?.intended?.reason).toBe('they never meet');

      isDeaf = false;
      await page.reload();
      await page.getByRole('button', { name: ORDERS.unintend }).click();
      await dialog().getByLabel(ORDERS.reason, { exact: true }).fill('they do meet');
      await post(`/orders/${id}/unintend`, { reason });
      await press(ORDERS.unintendConfirm);
      await dialog().getByText('took it back meanwhile').waitFor();
      expect(await dialog().getByRole('button', { name: en.ui.allTheSame }).count()).toBe(0);
      await press(en.ui.showTheirs);
      await isClosed();
      expect((await predicted())?.intended).toBeNull();
    });
  });

  it('did all this without an error', () => {
    expect(errors).toEqual([]);
  });
});
