import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { wakeObstacle } from '@/server/queries/repairs';
import { toError } from '@/server/queries/release-check';
import { findLock, lockSubject } from './lock-subject';
import { runScript } from './run-script';
import { answer, type Verb } from './verb';

/**
 * Wakes who waits for a lock that nobody holds, where its library's own wake-up never came: a lease that ran
 * out, a key that vanished. Read anew before, and checked once more inside Redis.
 */
export const wake: Verb<'lock.wake'> = {
  isAudited: true,
  subject: lockSubject,
  run: async (context, input) => {
    const listed = findLock(context, input);
    const { db, key } = listed;
    await context.watch.readNow({ db, key });
    const record = context.table.get(db, key) ?? listed;
    const obstacle = wakeObstacle(context, record);
    if (obstacle) throw toError(obstacle);
    const script = record.format.wake;
    if (!script) throw nobody();
    const { keys, args } = script.arguments(key, context.now());
    const reply = await runScript(context, { db, lua: script.lua, keys, args });
    if (reply.status === 0) throw nobody();
    if (reply.status !== 1) {
      await context.watch.readNow({ db, key });
      const now = wakeObstacle(context, context.table.get(db, key) ?? record);
      throw now ? toError(now) : new CodedError('CONFLICT', said('wake:held', { owner: null }));
    }
    context.watch.read([{ db, key }], 'asked');
    const wokeWaiters = reply.woken < 0 ? null : reply.woken;
    return { after: { wokeWaiters }, finish: answer({ outcome: 'woken', wokeWaiters }) };
  },
};

const nobody = (): CodedError => new CodedError('CONFLICT', said('wake:nobody', {}));
