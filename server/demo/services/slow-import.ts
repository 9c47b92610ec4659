import { acquirePy, releasePy, uuid1Token } from '@/server/demo/replay/redis-py';
import { forever, type Service } from '@/server/demo/service';

const LEASE_MS = 2000;

/**
 * Importers whose work takes longer than their lease. Of two that share a lock the second starts while the
 * first still works; one alone releases late, and finds its lock gone.
 */
export const slowImport: Service = async (context) => {
  const redis = context.connect();
  const importer = async (name: string, mac: string): Promise<never> =>
    await forever(context, [200, 1500], async () => {
      const token = uuid1Token(Date.now(), context.random, mac);
      if (!(await acquirePy(redis, { name, token, leaseMs: LEASE_MS, patienceMs: 5000 }))) return;
      await context.pause(context.random.between(1500, 4500));
      await releasePy(redis, name, token);
    });
  await Promise.all([
    importer('import:price-list', '02fc00000004'),
    importer('import:price-list', '02fc00000005'),
    importer('import:exchange-rates', '02fc00000006'),
  ]);
};
