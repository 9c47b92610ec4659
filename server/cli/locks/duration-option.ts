import { InvalidArgumentError } from 'commander';

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

const unitOf = (text: string | undefined): number =>
  Object.entries(UNITS).find(([unit]) => unit === text)?.[1] ?? 1;

/** Parses `500ms`, `30s`, `2m`, `1h`, or milliseconds without a unit; anything else is a usage error. */
export const duration =
  (leastMs: number, mostMs: number) =>
  (text: string): number => {
    const match = DURATION.exec(text);
    const ms = match ? Math.round(Number(match[1]) * unitOf(match[2])) : Number.NaN;
    if (ms >= leastMs && ms <= mostMs) return ms;
    throw new InvalidArgumentError(
      `It must be a duration like 500ms, 30s or 2m, from ${leastMs} ms to ${mostMs} ms.`,
    );
  };
