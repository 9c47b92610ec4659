import { acquirePy, releasePy, uuid1Token } from '../replay/redis-py';
import { forever, type Service } from '../service';

const LEASE_MS = 2000;

/** Two importers whose work takes longer than their lease: the second starts while the first still works. */
export const slowImport: Service = async (context) => {
  const redis = context.connect();
  const importer = async (mac: string): Promise<never> =>
    await forever(context, [200, 1500], async () => {
      const name = 'import:price-list';
      const token = uuid1Token(Date.now(), context.random, mac);
      if (!(await acquirePy(redis, { name, token, leaseMs: LEASE_MS, patienceMs: 5000 }))) return;
      await context.pause(context.random.between(1500, 4500));
      await releasePy(redis, name, token);
    });
  await Promise.all([importer('02fc00000004'), importer('02fc00000005')]);
};
