import type { Alert, AlertCode } from '@/lib/protocol/alert';
import type { LockDetail } from '@/lib/protocol/lock';
import type { KeyName, TestConsole } from '@/test/support/console';
import { until } from '@/test/support/until';

/** Looks at who waits and who is connected are seconds apart, and more on a slow machine. */
const PATIENCE_MS = 60_000;

/** Waits until the page of the lock is as `is` says, and returns it. */
export const seenAs = (
  console: TestConsole,
  key: KeyName,
  is: (lock: LockDetail) => boolean,
  timeoutMs = PATIENCE_MS,
): Promise<LockDetail> =>
  until(
    `${JSON.stringify(key)} as it should be`,
    async () => {
      const found = await console.detail(key);
      return found && is(found) ? found : null;
    },
    timeoutMs,
  );

/** All alerts of the code about the lock, open and resolved. */
export const alertsAbout = async (
  console: TestConsole,
  code: AlertCode,
  key: string,
): Promise<Alert[]> => (await console.alerts(code)).filter(({ subject }) => subject.label === key);

/** Waits for a firing alert of the code about the lock. */
export const firing = (
  console: TestConsole,
  code: AlertCode,
  key: string,
  timeoutMs = PATIENCE_MS,
): Promise<Alert> =>
  until(
    `${code} fires for ${key}`,
    async () => (await alertsAbout(console, code, key)).find(({ state }) => state === 'firing'),
    timeoutMs,
  );

/** Waits until an alert of the code about the lock was told and every one is over. */
export const resolved = async (
  console: TestConsole,
  code: AlertCode,
  key: string,
): Promise<void> => {
  await until(
    `${code} is over for ${key}`,
    async () => {
      const found = await alertsAbout(console, code, key);
      return found.length > 0 && found.every(({ state }) => state === 'resolved');
    },
    PATIENCE_MS,
  );
};

/** More rounds in a row than a machine is late for. */
const ROUNDS = 10;

/**
 * Stages the same on another key each round until the console was on time for it, and returns what was seen: of what it
 * is told a second late it says itself that it is `inferred`. After the last round it returns what it saw then.
 */
export async function onTime<T>(
  stage: (letter: string) => Promise<T>,
  isOnTime: (seen: T) => boolean,
): Promise<T> {
  const [first = 'a', ...letters] = 'abcdefghijklmnopqrstuvwxyz'.slice(0, ROUNDS);
  let seen = await stage(first);
  for (const letter of letters) {
    if (isOnTime(seen)) return seen;
    seen = await stage(letter);
  }
  return seen;
}

/** Releases the lock as its page shows it now. */
export async function releaseNow(
  console: TestConsole,
  key: KeyName,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const detail = await seenAs(console, key, ({ hold }) => hold !== null && hold.owner.id !== '');
  return await console.release(key, { version: detail.hold?.version, reason: 'it is stuck' });
}

/** A token as redis-py makes it: a version 1 uuid of the time `at` (epoch ms), without dashes. */
export function uuid1Token(at: number, node: string): string {
  const ticks = ((BigInt(at) + 12_219_292_800_000n) * 10_000n).toString(16).padStart(15, '0');
  const [high, middle, low] = [ticks.slice(0, 3), ticks.slice(3, 7), ticks.slice(7)];
  return `${low}${middle}1${high}88df${node}`;
}
