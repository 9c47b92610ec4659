import type { Alert, AlertCode } from '@/lib/protocol/alert';
import { until } from '@/test/support/until';
import type { InteropWorld } from '@/test/interop/world';

/** Waits until the console raises that alert about that key, and returns it. */
export async function alertAbout(
  { console }: InteropWorld,
  code: AlertCode,
  key: string,
): Promise<Alert> {
  return await until(`${code} about ${key}`, async () => {
    const alerts = await console.alerts(code);
    return alerts.find(({ subject }) => subject.locks.some((lock) => lock.key === key));
  });
}
