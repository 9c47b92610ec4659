const FIRST_MS = 5000;
const LONGEST_MS = 15 * 60_000;
const JITTER = 0.2;
/** What a receiver asks for beyond this is not waited for. */
const LONGEST_ASKED_MS = 60 * 60_000;
/** What could not be told for so long is given up. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * How long to wait after `failures` (1 = the first) in a row: 5 s, doubled each time up to 15 min, a fifth more or less so that
 * receivers that come back are not met by all at once. Never less than the receiver asked for, up to an hour.
 */
export function backOffMs(failures: number, askedMs: number | null, random: () => number): number {
  const plain = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  const spread = plain * (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.max(spread, Math.min(askedMs ?? 0, LONGEST_ASKED_MS)));
}
