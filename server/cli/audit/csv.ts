import { csvLine, type CsvValue } from '@/lib/csv';
import type { AuditEntry } from '@/lib/protocol/audit';

const COLUMNS: readonly [name: string, value: (entry: AuditEntry) => unknown][] = [
  ['seq', ({ seq }) => seq],
  ['at', ({ at }) => at],
  ['time', ({ at }) => new Date(at).toISOString()],
  ['actor', ({ actor }) => actor],
  ['action', ({ action }) => action],
  ['target', ({ target }) => target],
  ['db', ({ db }) => db],
  ['key', ({ key }) => key],
  ['keyB64', ({ keyB64 }) => keyB64],
  ['reason', ({ reason }) => reason],
  ['outcome', ({ outcome }) => outcome],
  ['code', ({ code }) => code],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['requestId', ({ requestId }) => requestId],
  ['businessId', ({ businessId }) => businessId],
  ['prevHash', ({ prevHash }) => prevHash],
  ['hash', ({ hash }) => hash],
];

function asValue(value: unknown): CsvValue {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}

/** RFC 4180 without the line's end. */
export const csvHead = (): string => csvLine(COLUMNS.map(([name]) => name));

/** RFC 4180 without the line's end; text that a spreadsheet would run begins with an apostrophe. */
export const csvRow = (entry: AuditEntry): string =>
  csvLine(COLUMNS.map(([, value]) => asValue(value(entry))));
