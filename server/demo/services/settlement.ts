import { FairClient } from '@/server/demo/replay/redisson-fair';
import type { Service } from '@/server/demo/service';

/** Settles a batch and renews its lock; the scenario kills this process while it holds. */
export const settlement: Service = async (context) => {
  const client = new FairClient(context);
  await client.acquire('payment:settlement', 1);
  await context.pause(24 * 60 * 60 * 1000);
};
