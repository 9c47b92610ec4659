import type { ReleaseResult } from '@/lib/protocol/actions';
import type { QueryContext } from '@/server/queries/query-context';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';

const LOOK_EVERY_MS = 20;
const SHORTEST_MS = 500;
/** The operator waits for the answer. What comes later is an alert: `server/analysers/came-back.ts`. */
const LONGEST_MS = 3000;
const LONGEST_GUESS_MS = 1500;
/** A renewal may come a little later than the learnt interval. */
const SLACK = 1.2;
/** Where no renewal was seen yet: most that re-create the key renew at half of the lease. */
const USUAL_SHARE = 0.5;

/** How long a renewal that re-creates the key is waited for, in milliseconds. */
export function returnWindowMs(hold: HoldRecord, type: LockRecord['format']['type']): number {
  const { renewalIntervalMs, leaseMs } = hold;
  // A hash's renewal only sets the time to live of a field that is there.
  const guess = type === 'string' && leaseMs !== null ? leaseMs * USUAL_SHARE : 0;
  const expected =
    renewalIntervalMs === null
      ? Math.min(guess * SLACK, LONGEST_GUESS_MS)
      : Math.min(renewalIntervalMs * SLACK, LONGEST_MS);
  return Math.round(Math.max(expected, SHORTEST_MS));
}

type Return = Required<
  Pick<ReleaseResult, 'cameBack' | 'watchedForMs' | 'takenByNext' | 'holderNoticed'>
>;

/**
 * Some libraries' renewal re-creates a key that was deleted. Watches for the same token holding again, or
 * another one, after which it cannot.
 */
export async function watchForReturn(
  context: QueryContext,
  { db, key, format }: LockRecord,
  released: HoldRecord,
): Promise<Return> {
  // Copied: the record of the hold may be revised meanwhile.
  const { generation, token, renewalIntervalMs } = released;
  const began = context.now();
  const end = began + returnWindowMs(released, format.type);
  let cameBack = false;
  let isTaken = false;
  while (!cameBack && context.now() < end) {
    const hold = context.table.get(db, key)?.hold;
    const next = hold && hold.generation > generation && hold.token !== null ? hold.token : null;
    // A count names nobody: who takes the place may be anybody.
    isTaken = next !== null && (next !== token || format.counts === true);
    if (isTaken) break;
    cameBack = next !== null;
    if (!cameBack) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const watchedForMs = context.now() - began;
  // Only of those who make the key anew does silence tell that they have stopped.
  const isDue = renewalIntervalMs !== null && watchedForMs >= renewalIntervalMs;
  const hasStopped = format.oldHolder === 'revives' && isDue && !isTaken;
  const holderNoticed = cameBack ? 'came-back' : hasStopped ? 'stopped-renewing' : 'unknown';
  return { cameBack, watchedForMs, takenByNext: isTaken, holderNoticed };
}
