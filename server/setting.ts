/** A setting that cannot be used. The message is one sentence that names the setting and the remedy. */
export class ConfigError extends Error {
  readonly code = 'BAD_SETTING';
}

export const isConfigError = (error: unknown): error is ConfigError =>
  error instanceof Error && 'code' in error && error.code === 'BAD_SETTING';

/** An error's message up to the first line break, without the full stop. */
export const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : `${error}`).split('\n')[0]?.replace(/[.:]$/, '') ?? '';

/** Undefined where nothing was given. Throws {@link ConfigError} for all but digits within the range. */
export function integer(
  name: string,
  text: string | undefined,
  range: [number, number],
): number | undefined {
  if (text === undefined || text === '') return undefined;
  // Digits only: `Number` would also take `0x10`, `1e3` and a blank for a number.
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range[0] && value <= range[1]) return value;
  throw new ConfigError(
    `${name} must be a whole number from ${range[0]} to ${range[1]}, but is "${text}".`,
  );
}

/** `redisUrl`, `redis-url` and `REDIS_URL` are the same word. */
const letters = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Single-letter changes from one word to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, a] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, b] of [...to].entries()) {
      const changed = (row[j] ?? 0) + (a === b ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** The known word that was probably meant, or null: a few letters apart, or a part of it (`url`). */
export function closest(word: string, known: readonly string[]): string | null {
  const plain = letters(word);
  const ranked = known
    .map((name) => ({ name, apart: distance(plain, letters(name)) }))
    .sort((a, b) => a.apart - b.apart);
  const [best] = ranked;
  if (best && best.apart <= Math.max(1, Math.floor(letters(best.name).length / 4)))
    return best.name;
  if (plain.length < 3) return null;
  const parts = known.filter((name) => letters(name).includes(plain));
  return parts.length === 1 ? (parts[0] ?? null) : null;
}
