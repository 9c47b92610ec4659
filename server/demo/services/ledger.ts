import { ownClient } from '@/server/demo/own-client';
import { forever, type Service } from '@/server/demo/service';

const TASKS = 3;
const ACCOUNTS = 200;

/** Bookings of two hundred accounts that all take one lock: the queue is for the lock, not for the account. */
export const ledger: Service = async (context) => {
  const clients = ['ledger-eu', 'ledger-us'].map((app) => ownClient(context, app));
  const book = async (client: (typeof clients)[number]): Promise<never> =>
    await forever(context, [40, 260], async () => {
      const businessId = `ACCT-${context.random.between(1, ACCOUNTS)}`;
      await client.using('ledger:bookings', { businessId }, async () => {
        await context.pause(context.random.between(15, 60));
      });
    });
  await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: TASKS }, () => client.task(() => book(client))),
    ),
  );
};
