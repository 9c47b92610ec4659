import { ownClient } from '@/server/demo/own-client';
import { forever, type Service } from '@/server/demo/service';

const TASKS = 4;

/** The same flash sale under our own client: every order that waits is seen by name and number. */
export const checkout: Service = async (context) => {
  const clients = ['checkout-web', 'checkout-app'].map((app) => ownClient(context, app));
  const buy = async (client: (typeof clients)[number]): Promise<never> =>
    await forever(context, [20, 200], async () => {
      const businessId = `ORD-${context.random.between(100_000, 999_999)}`;
      await client.using('stock:flash-sale', { businessId }, async () => {
        await context.pause(context.random.between(60, 220));
      });
    });
  await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: TASKS }, () => client.task(() => buy(client))),
    ),
  );
};
