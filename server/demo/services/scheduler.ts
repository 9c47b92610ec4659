import { runShedLocked } from '@/server/demo/replay/shedlock';
import { forever, type Service } from '@/server/demo/service';

const JOBS = ['reports:daily', 'sitemap', 'currency-rates'] as const;

/** Scheduled jobs under ShedLock on two hosts; a finished job is kept until its least time is over. */
export const scheduler: Service = async (context) => {
  const redis = context.connect();
  const node = async (host: string): Promise<never> =>
    await forever(context, [1500, 5000], async () => {
      await runShedLocked(redis, {
        name: context.random.pick(JOBS),
        host,
        random: context.random,
        atMostMs: 30_000,
        atLeastMs: 6000,
        run: async () => await context.pause(context.random.between(500, 4000)),
      });
    });
  await Promise.all([node('reports-1.internal'), node('reports-2.internal')]);
};
