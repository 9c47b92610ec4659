import Redlock from 'redlock';
import type { Service } from '@/server/demo/service';

const LEASE_MS = 9000;

/** A month-end report that never ends but renews its lock faithfully, so that no lease ever runs low. */
export const monthEnd: Service = async (context) => {
  const redlock = new Redlock([context.connect()]);
  let lock = await redlock.acquire(['reports:month-end'], LEASE_MS);
  for (;;) {
    await context.pause(LEASE_MS / 3);
    lock = await lock.extend(LEASE_MS);
  }
};
