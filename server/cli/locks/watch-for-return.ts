import { isCodedError } from '@/lib/protocol/errors';
import { returnWindowMs } from '@/server/actions/watch-for-return';
import type { Released, Releasable } from './direct-release';
import type { LockView } from './lock-view';

const LOOK_EVERY_MS = 50;

/**
 * Some libraries' renewal makes a deleted key again: watches whether the same token holds it once more, or
 * another one, after which it cannot. Waiters that can miss the first message are woken a second time.
 */
export async function watchForReturn(
  view: LockView,
  released: Releasable,
  warn: (sentence: string) => void,
): Promise<Pick<Released, 'cameBack' | 'watchedForMs'>> {
  const { record, hold } = released;
  const began = view.now();
  const end = began + returnWindowMs(hold, record.format.type);
  let cameBack = false;
  try {
    await wakeAgain(view, released);
    while (!cameBack && view.now() < end) {
      const { record: present } = await view.readNow(record.db, record.key);
      const token = present?.hold?.token ?? null;
      if (token !== null && token !== hold.token) break;
      cameBack = token !== null;
      if (!cameBack) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } catch (error) {
    // The release is done and recorded: still a success.
    if (!isCodedError(error)) throw error;
    warn(`The lock was released; whether its holder came back is not known: ${error.message}`);
  }
  return { cameBack, watchedForMs: view.now() - began };
}

async function wakeAgain(view: LockView, { record, seen }: Releasable): Promise<void> {
  const { repeatWake } = seen.format.release ?? {};
  if (!repeatWake) return;
  await new Promise((resolve) => setTimeout(resolve, 2 * LOOK_EVERY_MS));
  const redis = await view.redis(record.db);
  for (const { channel, message } of repeatWake(record.key)) {
    await redis.publish(Buffer.from(channel, 'latin1'), Buffer.from(message, 'latin1'));
  }
}
