import { said } from '@/lib/messages/in-english';
import type { Holder } from '@/lib/formats/format';
import { printable } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { QueryContext } from '@/server/queries/query-context';
import { toError } from '@/server/queries/release-check';
import { removalObstacle } from '@/server/queries/repairs';
import type { LockRecord } from '@/server/state/lock-record';
import { findLock, lockSubject } from './lock-subject';
import { runScript } from './run-script';
import type { Verb } from './verb';

/**
 * Takes one holder of several out of a lock and leaves the others. The version names the hold that it was
 * shown with; others may have come and gone since, but what this member holds is compared inside Redis with
 * what was read of it last.
 */
export const removeMember: Verb<'lock.remove-member'> = {
  isAudited: true,
  subject: lockSubject,
  run: async (context, input) => {
    const listed = findLock(context, input);
    const { db, key } = listed;
    await context.watch.readNow({ db, key });
    const record = context.table.get(db, key) ?? listed;
    const { generation } = record;
    if (Number.parseInt(input.version, 10) !== generation) throw changed(input.member);
    const obstacle = removalObstacle(context, record);
    if (obstacle) throw toError(obstacle);
    const holder = holderNamed(context, record, input.member);
    // One member stands for the hold: its end is this operator's doing then.
    const isHold = record.hold !== null && record.hold.token === holder.token;
    const intent = { db, key, generation };
    const actor = context.actor.name;
    if (isHold) context.observe([{ kind: 'release-intent', at: context.now(), actor, ...intent }]);
    let woken: number;
    try {
      woken = await removeSeen(context, record, { holder, member: input.member });
    } catch (error) {
      if (isHold) context.observe([{ kind: 'release-refused', at: context.now(), ...intent }]);
      throw error;
    }
    if (isHold) context.observe([{ kind: 'release-done', at: context.now(), actor, ...intent }]);
    const wokeWaiters = woken < 0 ? null : woken;
    return {
      after: { removed: input.member, wokeWaiters },
      finish: async () => {
        // Where no event tells, the page would go on showing the member. A lost connection reads later.
        await context.watch.readNow({ db, key }).catch(() => undefined);
        return { outcome: 'removed', wokeWaiters };
      },
    };
  },
};

/** Whom the printable id names among those whom the last read shows. Throws CONFLICT. */
function holderNamed(context: QueryContext, record: LockRecord, member: string): Holder {
  const { key, raw, format, hold, beside } = record;
  const known = { now: context.now(), leaseMs: hold?.leaseMs ?? null, beside };
  const holders = raw ? format.decode(key, raw, known).holders : [];
  // The id shown goes first: a token may print like the id of another.
  const named =
    holders.find(({ owner }) => owner.id === member) ??
    holders.find(({ token }) => printable(token) === member);
  if (named) return named;
  throw new CodedError('CONFLICT', said('remove:gone', { member }), { member });
}

/** Returns how many waiters were woken, -1 where nobody listens. Throws CONFLICT. */
async function removeSeen(
  context: QueryContext,
  { db, key, format, raw, beside }: LockRecord,
  { holder, member }: { holder: Holder; member: string },
): Promise<number> {
  const script = format.removeMember;
  if (!script || !raw) throw changed(member);
  const seen = { value: raw, beside, now: context.now() };
  const { keys, args } = script.arguments(key, holder.token, seen);
  const reply = await runScript(context, { db, lua: script.lua, keys, args });
  if (reply.status === 1) return reply.woken;
  context.watch.read([{ db, key }], 'asked');
  if (reply.status !== 0) throw changed(member);
  throw new CodedError('CONFLICT', said('remove:gone', { member }), { member });
}

const changed = (member: string): CodedError =>
  new CodedError('CONFLICT', said('remove:changed', { member }), { member });
