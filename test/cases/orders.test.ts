import { describe, expect, it } from 'vitest';
import type { Deadlock, Orders } from '@/lib/protocol/deadlock';
import { nest } from '@/test/support/nested-holds';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'shop:*' } });

const A = 'b983c153-7421-469a-addb-44fb92259a1b:11';
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:22';

const predicted = async (): Promise<Deadlock[]> =>
  (await at.console.query('deadlocks')).filter(({ state }) => state === 'predicted');
const firing = async () =>
  (await at.console.alerts('order-inversion')).filter(({ state }) => state === 'firing');
const post = async (path: string, body: object) =>
  await at.console.request<{ outcome?: string; error?: { code: string } }>(
    'POST',
    `/api/v1/orders/${path}`,
    { body },
  );

describe('two locks that are taken in opposite orders', () => {
  it('are predicted to deadlock, also after a restart, until somebody says that it is meant', async () => {
    await nest(at, A, 'shop:stock', 'shop:order');
    const seen = await until('the order is known', async () => {
      const orders = await at.console.get<Orders>('/orders');
      return orders.items.length > 0 ? orders : null;
    });
    expect(seen).toMatchObject({
      items: [{ first: 'shop:stock', second: 'shop:order', times: 1, example: { owner: A } }],
      unfollowed: [],
      dropped: 0,
    });
    await nest(at, B, 'shop:order', 'shop:stock');
    const [alert] = await until('it is told', async () => {
      const alerts = await firing();
      return alerts.length > 0 ? alerts : null;
    });
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'inferred' });
    expect(await at.console.alerts('deadlock')).toEqual([]);
    const found = await until('it is predicted', async () => (await predicted())[0]);
    expect(found).toMatchObject({ classes: ['shop:order', 'shop:stock'], intended: null });
    const { id } = found;

    await at.console.terminate();
    await at.console.restart();
    await until('it is known', async () => (await predicted())[0]?.id === id);
    expect((await at.console.get<Orders>('/orders')).items).toHaveLength(2);

    expect((await post('none/intend', { reason: 'they never meet' })).status).toBe(404);
    expect(await post(`${id}/intend`, {})).toMatchObject({
      status: 422,
      body: { error: { code: 'INVALID_INPUT' } },
    });
    const meant = await post(`${id}/intend`, { reason: 'they never meet' });
    expect(meant).toMatchObject({ status: 200, body: { outcome: 'intended' } });
    await until('it is no alert', async () => (await firing()).length === 0);

    await at.console.terminate();
    await at.console.restart();
    await until('it is known to be meant', async () => (await predicted())[0]?.intended);
    expect((await predicted())[0]?.intended).toMatchObject({ reason: 'they never meet' });
    expect(await firing()).toEqual([]);
    const back = await post(`${id}/unintend`, { reason: 'they met' });
    expect(back).toMatchObject({ status: 200, body: { outcome: 'unintended' } });
    await until('it is an alert again', async () => (await firing()).length === 1);
    const { items } = await at.console.query('audit');
    expect(items.filter(({ outcome }) => outcome === 'done').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['order.intend', 'order.unintend']),
    );
  }, 120_000);
});
