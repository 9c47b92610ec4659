import { said } from '@/lib/messages/in-english';
import { dropWaiterScript } from '@/lib/formats/redisson-fair';
import { printable } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { findLock, lockSubject } from './lock-subject';
import { runScript } from './run-script';
import { answer, type Verb } from './verb';

/** Takes a dead waiter out of a fair queue, where it would block everybody behind it. */
export const dropWaiter: Verb<'lock.drop-waiter'> = {
  isAudited: true,
  subject: lockSubject,
  run: async (context, input) => {
    const record = findLock(context, input);
    const { db, key, format } = record;
    if (format.waiters !== 'fair-queue') {
      throw new CodedError('READ_ONLY_FORMAT', said('drop:no-queue', { library: format.name }));
    }
    const waiter = record.queue.find(({ owner }) => printable(owner) === input.owner);
    if (!waiter) throw notQueued(input.owner);
    const { keys, args } = dropWaiterScript.arguments(key, waiter.owner, context.now());
    const reply = await runScript(context, { db, lua: dropWaiterScript.lua, keys, args });
    context.watch.read([{ db, key }], 'asked');
    if (reply.status !== 1) throw notQueued(input.owner);
    const wokeNext = reply.woken > 0;
    return {
      after: { dropped: input.owner, wokeNext },
      finish: answer({ outcome: 'dropped', wokeNext }),
    };
  },
};

const notQueued = (owner: string): CodedError =>
  new CodedError('CONFLICT', said('drop:not-queued', { waiter: owner }), { owner });
