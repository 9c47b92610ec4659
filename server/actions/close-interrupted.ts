import { fromBase64Url } from '@/lib/protocol/bytes';
import type { AuditEntry } from '@/lib/protocol/audit';
import type { Store } from '@/server/store/store-contract';

const PAGE = 1000;
/** An act of 500 locks has 1,002 entries; what was interrupted is among the newest. */
const PAGES = 3;

const AFTER = {
  outcomeKnown: false,
  message:
    'The console ended before it knew the outcome: the act may have been done. Look at the history of the lock.',
};

/**
 * Gives every request made before `before` (epoch ms) that has no outcome the entry that says why: the
 * console that served it was killed. Called at start, when nothing of this process is under way.
 */
export async function closeInterrupted(
  store: Store,
  { before, now }: { before: number; now: () => number },
): Promise<void> {
  const ended = new Set<string>();
  const interrupted: AuditEntry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const { items, cursor: next } = await store.audit({
      limit: PAGE,
      ...(cursor ? { cursor } : {}),
    });
    for (const entry of items) {
      if (entry.outcome !== 'requested') ended.add(entry.requestId);
      else if (entry.at < before && !ended.has(entry.requestId)) interrupted.push(entry);
    }
    if (!next) break;
    cursor = next;
  }
  for (const {
    actor,
    action,
    target,
    db,
    keyB64,
    reason,
    requestId,
    businessId,
  } of interrupted.reverse()) {
    const key = keyB64 === null ? null : fromBase64Url(keyB64);
    await store.appendAudit({
      ...{ at: now(), actor, action, target, db, key, reason, requestId, businessId },
      ...{ outcome: 'failed', code: null, before: null, after: AFTER },
    });
  }
}
