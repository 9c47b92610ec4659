type FormatMessages = Record<string, Record<string, string>>;

/** The library's name as its users write it, per format. */
export const formatNamesOf = (formats: FormatMessages): Record<string, string> =>
  Object.fromEntries(Object.entries(formats).map(([id, { name }]) => [id, name ?? id]));

/**
 * The sentence of a release note of a format. `key` may be bare (`watchdog-stops`) or full
 * (`formats.redisson.watchdog-stops`). A key that the catalogue does not have is itself the text when it
 * reads as a sentence; otherwise there is nothing to say, and `null`.
 */
export function releaseNote(formats: FormatMessages, formatId: string, key: string): string | null {
  const bare = key.startsWith('formats.') ? (key.split('.').at(-1) ?? key) : key;
  return formats[formatId]?.[bare] ?? (key.includes(' ') ? key : null);
}
