import { CodedError } from '@/lib/protocol/errors';
import { releaseCall, type ReleaseCall } from '@/lib/formats/release-call';
import { holderChanged, releaseObstacle, toError } from '@/server/queries/release-check';
import type { QueryContext } from '@/server/queries/query-context';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import { findLock, lockSubject } from './lock-subject';
import { runScript } from './run-script';
import type { Verb } from './verb';
import { watchForReturn } from './watch-for-return';

const REPEAT_WAKE_MS = 100;

/**
 * Deletes the hold the operator saw, and no other, and wakes who waits. Compared twice: with the version
 * on the page here, with the value itself inside Redis. Read anew before the first, because an event may
 * still be on its way: only the generation tells a new hold with an equal token from the old one.
 */
export const release: Verb<'lock.release'> = {
  isAudited: true,
  subject: lockSubject,
  run: async (context, input) => {
    const listed = findLock(context, input);
    await context.watch.readNow({ db: listed.db, key: listed.key });
    const record = context.table.get(listed.db, listed.key) ?? listed;
    const seen = releasable(context, record, input.version);
    const { hold } = seen;
    const intent = { db: record.db, key: record.key, generation: hold.generation };
    const actor = context.actor.name;
    context.observe([{ kind: 'release-intent', at: context.now(), actor, ...intent }]);
    let woken: number;
    try {
      woken = await deleteSeen(context, record, seen);
    } catch (error) {
      context.observe([{ kind: 'release-refused', at: context.now(), ...intent }]);
      throw error;
    }
    context.observe([{ kind: 'release-done', at: context.now(), actor, ...intent }]);
    const wokeWaiters = woken < 0 ? null : woken;
    return {
      after: { state: 'free', wokeWaiters },
      finish: async () => {
        // Where no event tells, the page would go on showing the hold. A lost connection reads later.
        await context.watch.readNow({ db: record.db, key: record.key }).catch(() => undefined);
        await wakeAgain(context, record, seen.call);
        const back = await watchForReturn(context, record, hold);
        return { outcome: 'released', wokeWaiters, ...back };
      },
    };
  },
};

interface Releasable {
  hold: HoldRecord;
  call: ReleaseCall;
}

/** The hold to release. Throws what keeps it from being released. */
function releasable(context: QueryContext, record: LockRecord, version: string): Releasable {
  const shown = toLock(record, [], context.now()).hold;
  if (shown?.version !== version) throw conflict(context, record, generationIn(version));
  const obstacle = releaseObstacle(context, record);
  if (obstacle) throw toError(obstacle);
  const { hold } = record;
  const call = releaseCall(record, context.now());
  if (!hold || !call) throw conflict(context, record, 0);
  return { hold, call };
}

/** Returns how many waiters were woken, -1 where nobody listens. Throws CONFLICT with the present holder. */
async function deleteSeen(
  context: QueryContext,
  record: LockRecord,
  { hold, call }: Releasable,
): Promise<number> {
  const { db, key } = record;
  const reply = await runScript(context, { db, ...call });
  if (reply.status === 1) return reply.woken;
  await context.watch.readNow({ db, key });
  throw conflict(context, context.table.get(db, key) ?? record, hold.generation);
}

/** Not what the operator saw any more: who holds it now. `shown` is the generation that they saw. */
function conflict(context: QueryContext, record: LockRecord, shown: number): CodedError {
  const now = context.now();
  const hold = toLock(record, [], now).hold;
  const expected = ownerOf(record, shown);
  const details = {
    expected,
    holder: hold?.owner.id ?? null,
    since: hold?.since ?? null,
    version: hold?.version ?? null,
    state: record.state,
  };
  const present = hold && { ...hold, owner: hold.owner.id || null };
  const isSameHold = hold?.generation === shown;
  const why = holderChanged({ key: record.key, expected, present, isSameHold, now });
  return new CodedError('CONFLICT', why, details);
}

/** Who held it in that generation, where that is still known. */
const ownerOf = ({ hold, ended }: LockRecord, generation: number): string | null =>
  [hold, ...ended].find((one) => one?.generation === generation)?.owner?.id ?? null;

/** The generation that a version names; 0, which no hold has, for what is no version of ours. */
const generationIn = (version: string): number => Number.parseInt(version, 10) || 0;

/** Some libraries can miss the first message; a second one costs nothing when nobody waits any more. */
async function wakeAgain(
  context: QueryContext,
  record: LockRecord,
  { repeatWake }: ReleaseCall,
): Promise<void> {
  if (!repeatWake) return;
  await new Promise((resolve) => setTimeout(resolve, REPEAT_WAKE_MS));
  const waits = record.queue.length > 0 || (record.subscribers ?? 0) > 0;
  if (!waits || record.hold) return;
  try {
    const connection = await context.watch.commandConnection(record.db);
    for (const { channel, message } of repeatWake(record.key)) {
      await connection.publish(Buffer.from(channel, 'latin1'), Buffer.from(message, 'latin1'));
    }
  } catch {
    // The release is done and audited, and the first wake-up was sent with it: still a success. A lost
    // connection shows on the page by itself.
  }
}
