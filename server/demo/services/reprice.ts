import Redlock from 'redlock';
import { forever, type Service } from '@/server/demo/service';

const CALLERS = 6;

/**
 * Prices recalculated under redlock 5, which asks again every few hundred milliseconds: who waits cannot be seen, and
 * each lock stays free for a while after each hold.
 */
export const reprice: Service = async (context) => {
  const redis = context.connect();
  const caller = async (): Promise<never> => {
    const redlock = new Redlock([redis], { retryCount: 8, retryDelay: 300, retryJitter: 150 });
    redlock.on('error', () => undefined);
    return await forever(context, [20, 300], async () => {
      const list = context.random.pick([1, 1, 1, 2, 3]);
      const lock = await redlock.acquire([`price:list-${list}`], 5000).catch(() => null);
      await context.pause(context.random.between(80, 350));
      await lock?.release();
    });
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
};
