import { acquirePy, uuid1Token } from '@/server/demo/replay/redis-py';
import type { Service } from '@/server/demo/service';

/** A deployment that died between SETNX and EXPIRE, and a script that used redis-py's default: no expiry. */
export const migration: Service = async (context) => {
  const redis = context.connect();
  await redis.setnx('lock:schema-migration', `deploy-${context.random.hex(8)}`);
  await acquirePy(redis, {
    name: 'import:backfill',
    token: uuid1Token(Date.now(), context.random, '02fc00000003'),
    leaseMs: null,
    patienceMs: 0,
  });
};
