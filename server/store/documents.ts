import type { Backend } from './backend';
import { sha256, textToBytes } from './blob';
import type { StoredDocument } from './store-contract';

const keyOf = (id: string): Uint8Array => sha256(textToBytes(id));

/** Replaces what is there of the same kind and id. */
export async function saveDocument(
  backend: Backend,
  { kind, id, value }: StoredDocument,
  now: number,
): Promise<void> {
  const values = { updated_at: now, json: JSON.stringify({ id, value }) };
  await backend.db
    .insertInto('documents')
    .values({ kind, digest: keyOf(id), ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'digest']).doUpdateSet(values))
    .execute();
}

export async function removeDocument(backend: Backend, kind: string, id: string): Promise<void> {
  await backend.db
    .deleteFrom('documents')
    .where('kind', '=', kind)
    .where('digest', '=', keyOf(id))
    .execute();
}

/** Oldest change first. */
export async function readDocuments(backend: Backend, kind: string): Promise<StoredDocument[]> {
  const rows = await backend.reader
    .selectFrom('documents')
    .select('json')
    .where('kind', '=', kind)
    .orderBy('updated_at')
    .execute();
  return rows.map(({ json }) => ({ kind, ...asWritten(json) }));
}

/** Written by {@link saveDocument} alone. */
const asWritten = (json: string): Omit<StoredDocument, 'kind'> => JSON.parse(json);
