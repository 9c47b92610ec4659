import { ownClient } from '@/server/demo/own-client';
import { forever, type Service } from '@/server/demo/service';

const ACCOUNTS = 6;
const GATEWAY_SLOTS = 2;

/** Pays refunds under our own client: an account's one after the other, two at once through the gateway. */
export const refunds: Service = async (context) => {
  const client = ownClient(context, 'refunds');
  const gateway = client.semaphore('refund:gateway', GATEWAY_SLOTS);
  const rates = client.readWrite('refund:rates');
  const payOut = async (): Promise<void> => {
    const account = `refund:account-${context.random.between(1, ACCOUNTS)}`;
    const businessId = `RF-${context.random.between(10_000, 99_999)}`;
    await client.using(account, { businessId, waitMs: 5000 }, async () => {
      await rates.read.using(async () => await context.pause(context.random.between(20, 120)));
      await gateway.using(async () => await context.pause(context.random.between(100, 700)));
    });
  };
  const refreshRates = async (): Promise<void> =>
    await rates.write.using(async () => await context.pause(context.random.between(50, 200)));
  await Promise.all([
    forever(context, [200, 1500], payOut),
    forever(context, [200, 1500], payOut),
    forever(context, [4000, 9000], refreshRates),
  ]);
};
