import { Mutex, Semaphore } from 'redis-semaphore';
import { forever, type Service } from '@/server/demo/service';

const EXPORT_SLOTS = 3;

/** Reserves stock under redis-semaphore's mutex, and exports under its semaphore. */
export const inventory: Service = async (context) => {
  const redis = context.connect();
  const reserve = async (): Promise<void> => {
    const sku = context.random.between(7725, 7734);
    const mutex = new Mutex(redis, `inventory:sku-${sku}`, {
      lockTimeout: 3000,
      acquireTimeout: 2000,
      retryInterval: 50,
      onLockLost: context.report,
    });
    if (!(await mutex.tryAcquire())) return;
    await context.pause(context.random.between(40, 500));
    await mutex.release();
  };
  const exportFeed = async (): Promise<void> => {
    const slot = new Semaphore(redis, 'export:feed-slots', EXPORT_SLOTS, {
      lockTimeout: 6000,
      onLockLost: context.report,
    });
    if (!(await slot.tryAcquire())) return;
    await context.pause(context.random.between(1000, 6000));
    await slot.release();
  };
  await Promise.all([
    forever(context, [100, 600], reserve),
    forever(context, [300, 2500], exportFeed),
    forever(context, [500, 3000], exportFeed),
  ]);
};
