import { acquirePy, releasePy, uuid1Token } from '@/server/demo/replay/redis-py';
import { forever, type Service } from '@/server/demo/service';

/** Python importers under redis-py's Lock; its token tells when it was asked for, and on which machine. */
export const catalog: Service = async (context) => {
  const redis = context.connect();
  const importer = async (mac: string): Promise<never> =>
    await forever(context, [500, 3000], async () => {
      const name = `import:catalog:${context.random.pick(['de', 'fr', 'jp'])}`;
      const token = uuid1Token(Date.now(), context.random, mac);
      const taken = await acquirePy(redis, { name, token, leaseMs: 10_000, patienceMs: 4000 });
      if (!taken) return;
      await context.pause(context.random.between(300, 3000));
      await releasePy(redis, name, token);
    });
  await Promise.all([importer('02fc00000001'), importer('02fc00000002')]);
};
