export type CsvValue = string | number | null;

/**
 * What a spreadsheet would run as a formula, full-width forms included
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;

function cell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * One line of RFC 4180 without its end. Text that a spreadsheet would run begins with an apostrophe; null is an
 * empty cell.
 */
export const csvLine = (values: readonly CsvValue[]): string => values.map(cell).join(',');

/** A file of RFC 4180 with its head. */
export const csvText = (head: readonly string[], rows: readonly (readonly CsvValue[])[]): string =>
  [head, ...rows].map((row) => `${csvLine(row)}\r\n`).join('');
