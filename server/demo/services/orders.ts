import Redlock from 'redlock';
import { forever, type Service } from '@/server/demo/service';

/** Synchronises orders with the shop, one order at a time, under redlock 5. */
export const orders: Service = async (context) => {
  const redlock = new Redlock([context.connect()], { retryCount: 5 });
  // Redlock reports every lost race here as well as by rejecting; the rejection is handled below.
  redlock.on('error', () => undefined);
  await forever(context, [150, 700], async () => {
    const order = context.random.between(1040, 1059);
    const lock = await redlock.acquire([`order_sync:${order}`], 8000).catch(() => null);
    if (!lock) return;
    await context.pause(context.random.between(80, 900));
    const last = context.random.next() < 0.2 ? await lock.extend(8000) : lock;
    await context.pause(context.random.between(20, 300));
    await last.release();
  });
};
