import { said } from '@/lib/messages/in-english';
import type { AuditEntry } from '@/lib/protocol/audit';
import { CodedError, isCodedError, isRecord } from '@/lib/protocol/errors';
import type { Said } from '@/lib/protocol/sentence';
import type { QueryContext } from '@/server/queries/query-context';
import type { Followed } from '@/server/store/follow-documents';

/** Something that several people may change at once. */
export interface EditedDocument {
  kind: string;
  id: string;
  /** Where what is held of its kind in memory is replaced; others are left alone. */
  followed: readonly Followed[];
  /** Whether an entry of the audit tells of a change of it. */
  isChange: (entry: AuditEntry) => boolean;
  /** Where pages know it by another version than the document's: that, once it is taken up, and what says more of it. */
  now?: () => { version: number | null; why: Said | null };
}

/** As many of the newest entries are looked through. */
const PAGES = 5;
const PAGE = 200;

/** Whether an entry's state names the same thing. */
export const isAbout = (names: Record<string, unknown>, state: unknown): boolean =>
  isRecord(state) && Object.entries(names).every(([name, value]) => state[name] === value);

/**
 * Does what `save` does. Where it is refused because somebody changed that meanwhile, takes up what is there now and
 * says who did, and when, if the audit tells.
 * @throws CodedError CONFLICT whose `details` are `changedBy`, `changedAt` and the `version` that is there now; null =
 * nothing is.
 */
export async function orSayWhoChanged<T>(
  context: QueryContext,
  edited: EditedDocument,
  save: () => Promise<T>,
): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isCodedError(error) || error.code !== 'CONFLICT') throw error;
    const taken = await takeUp(context, edited);
    const { version, why } = edited.now?.() ?? { version: taken, why: null };
    const change = await lastChange(context, edited);
    const details = { version, changedBy: change?.actor ?? null, changedAt: change?.at ?? null };
    if (why) throw new CodedError('CONFLICT', why, details);
    if (!change) throw new CodedError('CONFLICT', said('document:changed', {}), details);
    const values = { actor: change.actor, changedAt: change.at };
    const id = version === null ? 'document:removed-by' : 'document:changed-by';
    throw new CodedError('CONFLICT', said(id, values), details);
  }
}

/** The version that is there now. What another console set is known here from now on. */
async function takeUp(
  { store }: QueryContext,
  { kind, id, followed }: EditedDocument,
): Promise<number | null> {
  const held = followed.filter((one) => one.kind === kind);
  const edits = held.map((one) => one.edits());
  const documents = await store.documents(kind);
  held.forEach((one, at) => {
    // What was set here meanwhile may be missing from what was read.
    if (one.edits() === edits[at]) one.replace(documents);
  });
  return documents.find((document) => document.id === id)?.version ?? null;
}

async function lastChange(
  { store }: QueryContext,
  { isChange }: EditedDocument,
): Promise<AuditEntry | null> {
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const read: Awaited<ReturnType<typeof store.audit>> = await store.audit({
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    });
    const found = read.items.find((entry) => entry.outcome === 'done' && isChange(entry));
    if (found) return found;
    cursor = read.cursor;
    if (cursor === null) break;
  }
  return null;
}
