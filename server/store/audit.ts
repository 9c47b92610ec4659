import type { Transaction } from 'kysely';
import { AuditEntry } from '@/lib/protocol/audit';
import { printable, toBase64Url } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { CHAIN_START, canonicalJson, linkHash } from './audit-chain';
import type { Backend } from './backend';
import { fromBlob, sha256, textToBytes } from './blob';
import type { Schema } from './schema';
import type { AuditDraft, Store } from './store-contract';

const HEAD = 'audit.head';

interface Head {
  seq: number;
  hash: string;
}

type Linked = Omit<AuditEntry, 'prevHash' | 'hash'>;

/** Adds one link in a transaction that no other writer can enter, in this process or another. */
export async function appendAudit(backend: Backend, draft: AuditDraft): Promise<AuditEntry> {
  return await backend.db.transaction().execute(async (transaction) => {
    await backend.lockDuty(transaction, 'audit');
    const head = await readHead(transaction);
    const linked = toLinked(draft, head.seq + 1);
    const entry = canonicalJson(linked);
    const hash = linkHash(head.hash, entry);
    await transaction
      .insertInto('audit')
      .values({
        seq: linked.seq,
        at: linked.at,
        actor: searchable(linked.actor),
        key_digest: keyDigest(linked.key),
        entry,
        prev_hash: head.hash,
        hash,
      })
      .execute();
    await writeHead(transaction, { seq: linked.seq, hash });
    return toEntry({ entry, prev_hash: head.hash, hash });
  });
}

function toLinked(draft: AuditDraft, seq: number): Linked {
  return {
    seq,
    at: draft.at,
    actor: draft.actor,
    action: draft.action,
    target: draft.target,
    db: draft.db,
    key: draft.key === null ? null : printable(draft.key),
    keyB64: draft.key === null ? null : toBase64Url(draft.key),
    reason: draft.reason,
    outcome: draft.outcome,
    code: draft.code,
    before: draft.before ?? null,
    after: draft.after ?? null,
    requestId: draft.requestId,
    businessId: draft.businessId,
  };
}

function toEntry(row: { entry: string; prev_hash: string; hash: string }): AuditEntry {
  return AuditEntry.parse({ ...JSON.parse(row.entry), prevHash: row.prev_hash, hash: row.hash });
}

/** PostgreSQL's text holds no NUL; the entry itself is exact. */
const searchable = (text: string): string => text.replaceAll('\0', '\ufffd');

const keyDigest = (key: string | null): Uint8Array | null =>
  key === null ? null : sha256(textToBytes(key));

/**
 * The head is kept beside the chain as well, so that entries cut off at the end are missed too. The entry
 * with the highest number counts for the next link.
 */
async function readHead(transaction: Transaction<Schema>): Promise<Head> {
  const last = await transaction
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? { seq: 0, hash: CHAIN_START };
}

async function writeHead(transaction: Transaction<Schema>, head: Head): Promise<void> {
  const value = `${head.seq}:${head.hash}`;
  await transaction
    .insertInto('meta')
    .values({ name: HEAD, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/**
 * Newest first; the cursor is the number of the last entry returned.
 * @throws CodedError INVALID_INPUT for a cursor that this did not hand out.
 */
export async function readAudit(
  backend: Backend,
  query: Parameters<Store['audit']>[0],
): Promise<{ items: AuditEntry[]; cursor: string | null }> {
  const before = query.cursor === undefined ? null : Number(query.cursor);
  if (before !== null && !Number.isSafeInteger(before)) {
    throw new CodedError('INVALID_INPUT', 'cursor is not one that an earlier answer gave');
  }
  const rows = await backend.reader
    .selectFrom('audit')
    .select(['seq', 'entry', 'prev_hash', 'hash'])
    .$if(before !== null, (q) => q.where('seq', '<', before ?? 0))
    .$if(query.from !== undefined, (q) => q.where('at', '>=', query.from ?? 0))
    .$if(query.to !== undefined, (q) => q.where('at', '<', query.to ?? 0))
    .$if(query.actor !== undefined, (q) => q.where('actor', '=', searchable(query.actor ?? '')))
    .$if(query.key !== undefined, (q) => q.where('key_digest', '=', keyDigest(query.key ?? '')))
    .orderBy('seq', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(toEntry),
    cursor: rows.length > query.limit && last ? `${last.seq}` : null,
  };
}

const READ_AT_ONCE = 500;

/** Some entries behind the number `after`, oldest first; an empty list ends the audit. */
export async function readAuditForward(
  backend: Backend,
  query: { from?: number | undefined; to?: number | undefined; after: number },
): Promise<AuditEntry[]> {
  const rows = await backend.reader
    .selectFrom('audit')
    .select(['entry', 'prev_hash', 'hash'])
    .where('seq', '>', query.after)
    .$if(query.from !== undefined, (q) => q.where('at', '>=', query.from ?? 0))
    .$if(query.to !== undefined, (q) => q.where('at', '<', query.to ?? 0))
    .orderBy('seq')
    .limit(READ_AT_ONCE)
    .execute();
  return rows.map(toEntry);
}

/** Hash of the newest entry; null without any. */
export async function lastLink(backend: Backend): Promise<string | null> {
  const last = await backend.reader
    .selectFrom('audit')
    .select('hash')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.hash ?? null;
}

/** Recomputes every hash; also finds columns that no longer say what their entry says. */
export async function verifyAudit(
  backend: Backend,
): Promise<{ entries: number; brokenAt: number | null }> {
  let head: Head = { seq: 0, hash: CHAIN_START };
  for (;;) {
    const rows = await backend.reader
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', head.seq)
      .orderBy('seq')
      .limit(READ_AT_ONCE)
      .execute();
    for (const row of rows) {
      if (!fits(row, head)) return { entries: head.seq, brokenAt: head.seq + 1 };
      head = { seq: row.seq, hash: row.hash };
    }
    if (rows.length < READ_AT_ONCE) break;
  }
  return { entries: head.seq, brokenAt: await cutOffAfter(backend, head) };
}

function fits(row: Schema['audit'], head: Head): boolean {
  if (row.seq !== head.seq + 1 || row.prev_hash !== head.hash) return false;
  if (row.hash !== linkHash(row.prev_hash, row.entry)) return false;
  const entry = AuditEntry.safeParse({
    ...parsed(row.entry),
    prevHash: row.prev_hash,
    hash: row.hash,
  });
  if (!entry.success) return false;
  const { seq, at, actor, key } = entry.data;
  const digest = keyDigest(key);
  const stored = row.key_digest;
  const sameKey =
    digest === null || stored === null ? digest === stored : fromBlob(digest) === fromBlob(stored);
  return seq === row.seq && at === row.at && searchable(actor) === row.actor && sameKey;
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Not JSON: the empty object fits no entry, and the link counts as broken.
    return {};
  }
}

async function cutOffAfter(backend: Backend, head: Head): Promise<number | null> {
  const kept = await backend.reader
    .selectFrom('meta')
    .select('value')
    .where('name', '=', HEAD)
    .executeTakeFirst();
  // An entry may have been added while the chain was read.
  const keptSeq = Number(kept?.value.split(':')[0] ?? 0);
  const later = await backend.reader
    .selectFrom('audit')
    .select('seq')
    .where('seq', '=', keptSeq)
    .executeTakeFirst();
  return keptSeq > head.seq && !later ? head.seq + 1 : null;
}
