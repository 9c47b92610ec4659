import type { LockClient } from '@/lib/lock/index';
import { ownClient } from '@/server/demo/own-client';
import type { Service, ServiceContext } from '@/server/demo/service';

const VAN = 'delivery:van-3';
const DOCK = 'delivery:dock-1';
const GIVES_UP_AFTER_MS = 45_000;
const SOONEST_AGAIN_MS = 20_000;

/** Loads a van: takes van and dock in the order given, and gives up when it waits too long. */
async function load(
  context: ServiceContext,
  client: LockClient,
  { order, businessId }: { order: [string, string]; businessId: string },
): Promise<void> {
  await client.task(async () => {
    const first = await client.acquire(order[0], { businessId });
    await context.pause(1500);
    const second = await client
      .acquire(order[1], { businessId, waitMs: GIVES_UP_AFTER_MS })
      .catch(() => null);
    await context.pause(1000);
    await second?.release();
    await first.release();
  });
}

/** Two services of our own client load crosswise: each task holds what the other waits for. */
export const deliveries: Service = async (context) => {
  const planner = ownClient(context, 'route-planner');
  const warehouse = ownClient(context, 'dock-control');
  await context.pause(6000);
  for (;;) {
    await Promise.all([
      load(context, planner, { order: [VAN, DOCK], businessId: 'TOUR-17' }),
      load(context, warehouse, { order: [DOCK, VAN], businessId: 'LOAD-4' }),
    ]);
    await context.pause(SOONEST_AGAIN_MS);
  }
};
