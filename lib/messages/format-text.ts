import type { Messages } from './index';

type FormatMessages = Messages['formats'];

/** The library's name as its users write it; the id itself for a format the catalogue does not know. */
export function formatName(formats: FormatMessages, formatId: string): string {
  return formats[formatId]?.name ?? formatId;
}

/**
 * The sentence of a release note of a format. `key` may be bare (`watchdog-stops`) or full
 * (`formats.redisson.watchdog-stops`). A key that the catalogue does not have is itself the text when it
 * reads as a sentence; otherwise there is nothing to say, and `null`.
 */
export function releaseNote(formats: FormatMessages, formatId: string, key: string): string | null {
  const bare = key.startsWith('formats.') ? (key.split('.').at(-1) ?? key) : key;
  return formats[formatId]?.[bare] ?? (key.includes(' ') ? key : null);
}
