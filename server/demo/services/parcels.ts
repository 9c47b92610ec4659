import { FairClient } from '@/server/demo/replay/redisson-fair';
import { forever, type Service } from '@/server/demo/service';

const BELTS = 8;
const THREADS = 4;
const PATIENCE_MS = 2500;

/** Java services that share eight belts; one of them is calibrated now and then while parcels wait for it. */
export const parcels: Service = async (context) => {
  const sorters = [new FairClient(context), new FairClient(context)];
  const calibration = new FairClient(context);
  const sort = async (sorter: FairClient, thread: number): Promise<never> =>
    await forever(context, [30, 300], async () => {
      const belt = `parcel:belt-${Math.floor(BELTS * context.random.next() ** 2) + 1}`;
      if (!(await sorter.acquire(belt, thread, PATIENCE_MS))) return;
      await context.pause(context.random.between(40, 220));
      await sorter.release(belt, thread);
    });
  const calibrate = async (): Promise<never> =>
    await forever(context, [7000, 12_000], async () => {
      if (!(await calibration.acquire('parcel:belt-1', 1))) return;
      await context.pause(context.random.between(2500, 4500));
      await calibration.release('parcel:belt-1', 1);
    });
  const threads = Array.from({ length: THREADS }, (_, index) => index + 11);
  const sorting = sorters.flatMap((sorter) => threads.map((thread) => sort(sorter, thread)));
  await Promise.all([...sorting, calibrate()]);
};
