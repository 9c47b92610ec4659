import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { PastHold } from '@/lib/protocol/lock';
import type { PastWait } from '@/lib/protocol/measures';
import type { Gap } from '@/lib/protocol/target';
import type { WaitRow } from '@/server/store/history-contract';
import { isLengthKnown } from './gaps';
import { holdsInTable, holdsPending, mergeHolds } from './past-holds';
import type { QueryContext } from './query-context';
import { questionsOf, type Subject } from './subject';

const MOST_WAITS = 20;
/** Of those who held the lock meanwhile, the ones who did for longest. */
const MOST_HOLDERS = 5;
/** Holds that are looked at for one wait: beyond that they are not counted either. */
const MOST_HOLDS = 200;

/** The longest waits that ended in the range, each with who held the lock meanwhile. */
export async function slowestWaits(
  context: QueryContext,
  subject: Subject,
  { from, to, gaps }: { from: number; to: number; gaps: readonly Gap[] },
): Promise<PastWait[]> {
  const rows: WaitRow[] = [];
  for (const question of questionsOf(subject)) {
    const query = { ...question, from, to, order: 'longest', limit: MOST_WAITS } as const;
    rows.push(...(await context.history.waits(query)));
  }
  const longest = rows.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const slowest: PastWait[] = [];
  for (const wait of longest.slice(0, MOST_WAITS)) {
    slowest.push({
      ...toPastWait(wait, isLengthKnown(wait, gaps)),
      ...(await heldDuring(context, wait)),
    });
  }
  return slowest;
}

function toPastWait(wait: WaitRow, isKnown: boolean): Omit<PastWait, 'heldBy' | 'heldByMore'> {
  const { db, key, namespace, owner, start, end, source, evidence, outcome } = wait;
  return {
    ...{ db, key: printable(key), keyB64: toBase64Url(key) },
    ...{ class: wait.class, namespace, owner, start, end, source, outcome },
    evidence: isKnown ? evidence : 'unknown',
  };
}

async function heldDuring(
  context: QueryContext,
  { db, key, start, end }: WaitRow,
): Promise<Pick<PastWait, 'heldBy' | 'heldByMore'>> {
  const query = { target: context.targetId, db, key, from: start, to: end, limit: MOST_HOLDS };
  const stored = await context.store.holds(query);
  const pending = holdsPending(context, (row) => row.db === db && row.key === key);
  const holds = mergeHolds(stored, pending, holdsInTable(context, db, key))
    .map(({ past }) => past)
    .filter((past) => past.start < end && (past.end === null || past.end > start));
  const meanwhile = (past: PastHold): number =>
    Math.min(end, past.end ?? end) - Math.max(start, past.start);
  const longest = holds.toSorted((a, b) => meanwhile(b) - meanwhile(a)).slice(0, MOST_HOLDERS);
  return {
    heldBy: longest.toSorted((a, b) => a.start - b.start),
    heldByMore: holds.length - longest.length,
  };
}
