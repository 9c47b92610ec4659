import Redlock from 'redlock';
import { FairClient } from '@/server/demo/replay/redisson-fair';
import { forever, type Service } from '@/server/demo/service';

const PAGES = 40;
const POLLERS = 25;

/** A cache entry lapses and everybody rebuilds it at once: a queue of Java threads, and Node polling beside. */
export const rebuild: Service = async (context) => {
  const client = new FairClient(context);
  const redis = context.connect();
  const queueUp = async (thread: number): Promise<void> => {
    if (!(await client.acquire('cache-rebuild:home', thread, 9000))) return;
    await context.pause(context.random.between(60, 160));
    await client.release('cache-rebuild:home', thread);
  };
  const poll = async (): Promise<void> => {
    const redlock = new Redlock([redis], { retryCount: 12, retryDelay: 100, retryJitter: 80 });
    redlock.on('error', () => undefined);
    const lock = await redlock.acquire(['cache-rebuild:search'], 2000).catch(() => null);
    await context.pause(150);
    await lock?.release();
  };
  await forever(context, [6000, 8000], async () => {
    await Promise.all([
      ...Array.from({ length: PAGES }, (_, index) => queueUp(index + 1)),
      ...Array.from({ length: POLLERS }, poll),
    ]);
  });
};
