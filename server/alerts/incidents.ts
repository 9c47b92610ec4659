import type { Alert, AlertCode } from '@/lib/protocol/alert';
import type { Entry } from './alert-life';

/** What a deadlock brings about on the locks of its cycle. */
const CONSEQUENCES: ReadonlySet<AlertCode> = new Set([
  'long-hold',
  'waiter-pileup',
  'blocking-chain',
  'convoy',
]);

const nameOf = ({ db, keyB64 }: Alert['subject']['locks'][number]): string => `${db}:${keyB64}`;

function locksOfDeadlocks(entries: Iterable<Entry>): Map<string, string> {
  const part = new Map<string, string>();
  for (const { alert } of entries) {
    if (alert.code !== 'deadlock' || alert.state === 'pending') continue;
    for (const lock of alert.subject.locks) part.set(nameOf(lock), alert.id);
  }
  return part;
}

/** Marks what is part of an open deadlock, and unmarks it when that is resolved. Calls `changed` for each. */
export function joinIncidents(entries: Iterable<Entry>, changed: (entry: Entry) => void): void {
  const all = [...entries];
  const deadlocks = locksOfDeadlocks(all);
  for (const entry of all) {
    const { alert } = entry;
    if (!CONSEQUENCES.has(alert.code)) continue;
    const [lock] = alert.subject.locks;
    const partOf = (lock && deadlocks.get(nameOf(lock))) ?? null;
    if (partOf === (alert.partOf ?? null)) continue;
    entry.alert = { ...alert, partOf };
    changed(entry);
  }
}
