/** Why a typed duration is none. */
export type DurationError = 'empty' | 'no-unit' | 'unreadable' | 'too-long';
export type ReadDuration = { ms: number; error: null } | { ms: null; error: DurationError };

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** As far as a rule may reach. */
export const LONGEST_MS = 30 * 86_400_000;

const PIECE = /(\d+(?:[.,]\d+)?)\s*([a-z]+)/gy;

const failed = (error: DurationError): ReadDuration => ({ ms: null, error });

/** Reads "90s", "5m", "1h 30m", "1.5 h", "250ms", "0". Whole milliseconds; never throws. */
export function readDuration(text: string): ReadDuration {
  const typed = text.trim().toLowerCase();
  if (typed === '') return failed('empty');
  if (/^0+$/.test(typed)) return { ms: 0, error: null };
  if (/^\d+(?:[.,]\d+)?$/.test(typed)) return failed('no-unit');
  let total = 0;
  let at = 0;
  while (at < typed.length) {
    PIECE.lastIndex = at;
    const [piece, amount = '', unit = ''] = PIECE.exec(typed) ?? [];
    const unitMs = UNIT_MS[unit];
    if (piece === undefined || unitMs === undefined) return failed('unreadable');
    total += Number(amount.replace(',', '.')) * unitMs;
    at += piece.length;
    while (typed.charAt(at) === ' ') at++;
  }
  const ms = Math.round(total);
  return ms > LONGEST_MS ? failed('too-long') : { ms, error: null };
}

const WRITTEN = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** Writes whole milliseconds so that {@link readDuration} reads the same: "1m 30s", "0". */
export function writeDuration(ms: number): string {
  const parts: string[] = [];
  let left = ms;
  for (const [unit, unitMs] of WRITTEN) {
    const count = Math.floor(left / unitMs);
    if (count > 0) parts.push(`${count}${unit}`);
    left -= count * unitMs;
  }
  return parts.length === 0 ? '0' : parts.join(' ');
}
