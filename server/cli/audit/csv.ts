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

/**
 * What a spreadsheet would run as a formula, full-width forms included
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 without the line's end. */
export const csvHead = (): string => COLUMNS.map(([name]) => name).join(',');

/** RFC 4180 without the line's end; text that a spreadsheet would run begins with an apostrophe. */
export const csvRow = (entry: AuditEntry): string =>
  COLUMNS.map(([, value]) => cell(value(entry))).join(',');
