import type { Bytes } from '@/lib/protocol/bytes';
import { printable } from '@/lib/protocol/bytes';
import { REPORT_EVENTS, type ReportObservation } from './observation';

/** An entry of a report stream as Redis returned it. */
export interface StreamEntry {
  /** `<epoch ms>-<number>`. */
  id: string;
  /** Field, value, field, value…; empty where the entry was too large to be a report. */
  fields: readonly Bytes[];
}

const MAX_KEY_BYTES = 4096;
const MAX_OWNER_BYTES = 512;
const NUMBER = /^\d{1,15}(\.\d{1,6})?$/;
const FENCE = /^\d{1,20}$/;
const ID = /^(\d{1,15})-\d{1,20}$/;

/** Epoch ms of an entry by Redis's clock; null for what is no id. */
export function timeOfId(id: string): number | null {
  const match = ID.exec(id);
  return match?.[1] === undefined ? null : Number(match[1]);
}

function fieldsOf(flat: readonly Bytes[]): Map<Bytes, Bytes> {
  const fields = new Map<Bytes, Bytes>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] ?? '', flat[i + 1] ?? '');
  return fields;
}

const numberIn = (text: Bytes | undefined): number | null =>
  text !== undefined && NUMBER.test(text) ? Math.round(Number(text)) : null;

/**
 * An entry as a report (`lib/lock/README.md`, "Reports"); null for what is none: anybody who may write to
 * the stream may have written it. `clockMs` turns Redis's time into ours.
 */
export function readReport(
  entry: StreamEntry,
  { db, clockMs }: { db: number; clockMs: number },
): Omit<ReportObservation, 'isOld'> | null {
  const writtenAt = timeOfId(entry.id);
  const fields = fieldsOf(entry.fields);
  const event = REPORT_EVENTS.find((known) => known === fields.get('event'));
  const key = fields.get('key') ?? '';
  const owner = fields.get('owner') ?? '';
  if (writtenAt === null || !event || key === '' || key.length > MAX_KEY_BYTES) return null;
  if (owner === '' || owner.length > MAX_OWNER_BYTES) return null;
  const fence = fields.get('fence') ?? '';
  const business = fields.get('businessId') ?? '';
  return {
    kind: 'report',
    at: Math.round(writtenAt + clockMs),
    db,
    key,
    owner,
    event,
    holder: fields.get('holder')?.slice(0, MAX_OWNER_BYTES) || null,
    waitedMs: numberIn(fields.get('waitedMs')),
    heldMs: numberIn(fields.get('heldMs')),
    fence: FENCE.test(fence) ? fence : null,
    businessId: business === '' ? null : printable(business.slice(0, MAX_OWNER_BYTES)),
    count: numberIn(fields.get('count')),
  };
}
