import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { QueryContext } from '@/server/queries/query-context';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';

const LOOK_EVERY_MS = 20;
const SHORTEST_MS = 500;
const LONGEST_MS = 3000;
/** A renewal may come a little later than the learnt interval. */
const SLACK = 1.2;

/** How long a renewal that re-creates the key is waited for, in milliseconds. */
export const returnWindowMs = (hold: HoldRecord): number =>
  Math.round(Math.max(Math.min((hold.renewalIntervalMs ?? 0) * SLACK, LONGEST_MS), SHORTEST_MS));

/**
 * Some libraries' renewal re-creates a key that was deleted. Watches for the same token holding again,
 * and notes it as a finding.
 */
export async function watchForReturn(
  context: QueryContext,
  { db, key }: LockRecord,
  released: HoldRecord,
): Promise<{ cameBack: boolean; watchedForMs: number }> {
  // Copied: the record of the hold may be revised meanwhile.
  const { generation, token } = released;
  const began = context.now();
  const end = began + returnWindowMs(released);
  const isBack = (): boolean => {
    const hold = context.table.get(db, key)?.hold;
    return !!hold && hold.generation > generation && token !== null && hold.token === token;
  };
  while (!isBack() && context.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const cameBack = isBack();
  if (cameBack) noteReturn(context, { db, key }, released);
  return { cameBack, watchedForMs: context.now() - began };
}

function noteReturn(
  context: QueryContext,
  { db, key }: Pick<LockRecord, 'db' | 'key'>,
  released: HoldRecord,
): void {
  const keyB64 = toBase64Url(key);
  const label = printable(key);
  const owner = released.owner?.id ?? 'the old holder';
  context.analysis.note({
    id: `came-back:${db}:${keyB64}:${released.generation}`,
    code: 'came-back',
    severity: 'warning',
    subject: { kind: 'lock', label, locks: [{ db, key: label, keyB64 }], deadlockId: null },
    summary: `${owner} took the lock again right after it was released by force.`,
    remedy: 'Its renewal re-creates the key: stop or restart the holder, then release again.',
    since: context.now(),
    count: 1,
    evidence: 'observed',
    moment: true,
  });
}
