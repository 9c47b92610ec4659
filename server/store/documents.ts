import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { Backend } from './backend';
import { sha256, textToBytes } from './blob';
import type { StoredDocument, VersionedDocument } from './store-contract';

/** The sum of those of thousands of documents is still exact. */
const VERSIONS = 2 ** 40;

const keyOf = (id: string): Uint8Array => sha256(textToBytes(id));

/**
 * Replaces what is there of the same kind and id, and returns its version. Two writes never have the same one: what was
 * removed and made anew is another.
 * @throws CodedError CONFLICT where what is there is not of the `expected` version; null = nothing is there.
 */
export async function saveDocument(
  backend: Backend,
  { kind, id, value }: StoredDocument,
  { expected, now }: { expected: number | null | undefined; now: number },
): Promise<number> {
  const version = randomInt(1, VERSIONS);
  const values = { updated_at: now, json: JSON.stringify({ id, value }), version };
  const digest = keyOf(id);
  // What is gone is another version too: it must not be there again.
  const replaceOnly =
    typeof expected === 'number' &&
    backend.db
      .updateTable('documents')
      .set(values)
      .where('kind', '=', kind)
      .where('digest', '=', digest)
      .where('version', '=', expected)
      .returning('version');
  const insert = backend.db
    .insertInto('documents')
    .values({ kind, digest, ...values })
    .onConflict((conflict) => {
      const known = conflict.columns(['kind', 'digest']);
      return expected === null ? known.doNothing() : known.doUpdateSet(values);
    })
    .returning('version');
  const saved = await (replaceOnly || insert).execute();
  if (saved.length === 0) throw changedMeanwhile();
  return version;
}

/** @throws CodedError CONFLICT where what is there is not of the `expected` version. */
export async function removeDocument(
  backend: Backend,
  { kind, id }: Pick<StoredDocument, 'kind' | 'id'>,
  expected: number | undefined,
): Promise<void> {
  const removed = await backend.db
    .deleteFrom('documents')
    .where('kind', '=', kind)
    .where('digest', '=', keyOf(id))
    .$if(expected !== undefined, (q) => q.where('version', '=', expected ?? 0))
    .returning('version')
    .execute();
  if (expected !== undefined && removed.length === 0) throw changedMeanwhile();
}

const changedMeanwhile = (): CodedError => new CodedError('CONFLICT', said('document:changed', {}));

/** Oldest change first. */
export async function readDocuments(backend: Backend, kind: string): Promise<VersionedDocument[]> {
  const rows = await backend.reader
    .selectFrom('documents')
    .select(['json', 'version'])
    .where('kind', '=', kind)
    .orderBy('updated_at')
    .execute();
  return rows.map(({ json, version }) => ({ kind, ...asWritten(json), version }));
}

/** By kind, another text whenever one of its documents is another; a kind without documents has none. */
export async function readStates(
  backend: Backend,
  kinds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await backend.reader
    .selectFrom('documents')
    .select(['kind', sql<string>`concat(count(*), ':', sum(version))`.as('state')])
    .where('kind', 'in', kinds)
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, state }) => [kind, state]));
}

/** Written by {@link saveDocument} alone. */
const asWritten = (json: string): Omit<StoredDocument, 'kind'> => JSON.parse(json);
