import { ownClient } from '@/server/demo/own-client';
import type { Service } from '@/server/demo/service';

/** An archive run under our own client that hangs, and a nightly check that waits for it. */
export const archive: Service = async (context) => {
  const runner = ownClient(context, 'archive-runner');
  const checker = ownClient(context, 'nightly-check');
  const hang = async (): Promise<void> => await new Promise(() => undefined);
  await Promise.all([
    runner.using('archive:orders', { ttlMs: 15_000, businessId: 'ARCHIVE-2026-11' }, hang),
    (async () => {
      await context.pause(2000);
      await checker.acquire('archive:orders', { waitMs: Infinity, businessId: 'CHECK-1130' });
    })(),
  ]);
};
