import { FairClient } from '@/server/demo/replay/redisson-fair';
import { forever, type Service } from '@/server/demo/service';

const CLIENTS = 4;
const THREADS = 3;

/** A flash sale: twelve checkouts want the stock of one article, all the time. */
export const hotStock: Service = async (context) => {
  const buyers = Array.from({ length: CLIENTS }, () => new FairClient(context)).flatMap((client) =>
    Array.from({ length: THREADS }, async (_, index) => {
      await forever(context, [10, 120], async () => {
        if (!(await client.acquire('inventory:flash-sale', index + 1))) return;
        await context.pause(context.random.between(120, 350));
        await client.release('inventory:flash-sale', index + 1);
      });
    }),
  );
  await Promise.all(buyers);
};
