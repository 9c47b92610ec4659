import { Redisson } from 'node-redisson';
import { forever, type Service } from '@/server/demo/service';

/** Books payments under node-redisson's reentrant lock; waiters sleep on its channel. */
export const payments: Service = async (context) => {
  const { host, port, password } = context.address;
  const redisson = new Redisson({ redis: { options: { host, port, password } } });
  const book = async (): Promise<void> => {
    const merchant = context.random.between(86, 91);
    const lock = redisson.getLock(`payment:merchant-${merchant}`);
    await lock.lock();
    await context.pause(context.random.between(100, 700));
    await lock.unlock();
  };
  await Promise.all([forever(context, [200, 1200], book), forever(context, [400, 1600], book)]);
};
