import type { Bytes } from '@/lib/protocol/bytes';
import type { Backend } from './backend';
import { bytesBeside, digestOf, fromBlob, textToBytes } from './blob';
import type { PinRow } from './store-contract';

/** A pin of the same pattern is replaced. */
export async function savePin(backend: Backend, targetId: number, pin: PinRow): Promise<void> {
  const values = {
    bytes: bytesBeside(pin.pattern),
    created_at: pin.createdAt,
    // As JSON, because PostgreSQL's text holds no NUL.
    json: JSON.stringify({ format: pin.format, actor: pin.actor, reason: pin.reason }),
  };
  await backend.db
    .insertInto('pins')
    .values({ target_id: targetId, digest: digestOf(pin.pattern), ...values })
    .onConflict((conflict) => conflict.columns(['target_id', 'digest']).doUpdateSet(values))
    .execute();
}

export async function removePin(backend: Backend, targetId: number, pattern: Bytes): Promise<void> {
  await backend.db
    .deleteFrom('pins')
    .where('target_id', '=', targetId)
    .where('digest', '=', digestOf(pattern))
    .execute();
}

/** Newest first. */
export async function readPins(backend: Backend, target: string): Promise<PinRow[]> {
  const rows = await backend.reader
    .selectFrom('pins')
    .innerJoin('targets', 'targets.id', 'pins.target_id')
    .select(({ fn, ref }) => [
      fn.coalesce(ref('pins.bytes'), ref('pins.digest')).as('pattern'),
      'created_at',
      'json',
    ])
    .where('targets.digest', '=', digestOf(textToBytes(target)))
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ pattern, created_at, json }) => ({
    pattern: fromBlob(pattern),
    createdAt: created_at,
    ...asWritten(json),
  }));
}

/** Written by {@link savePin} alone. */
const asWritten = (json: string): Pick<PinRow, 'format' | 'actor' | 'reason'> => JSON.parse(json);
