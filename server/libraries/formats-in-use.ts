import { createFormatTable } from '@/lib/formats';
import type { FormatTable } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import { compileGlob } from '@/lib/analysis/glob';
import { createKeyFilter } from '@/server/watch/key-filter';
import type { PinBook } from './pin-book';

/** The formats with what operators pinned, and which keys are watched. All follow the pins at once. */
export interface FormatsInUse {
  pins: PinBook;
  table: FormatTable;
  /** What the operator calls locks: by the settings and by pins. */
  patterns: () => Bytes[];
  isDeclared: (key: Bytes) => boolean;
  /** Whether events of this key are subscribed to. */
  isWatched: (key: Bytes) => boolean;
}

/** `watchPatterns` and `watchEverything` are the settings'. */
export function createFormatsInUse(
  pins: PinBook,
  settings: { watchPatterns: readonly Bytes[]; watchEverything: boolean },
): FormatsInUse {
  const table = createFormatTable((key) => pins.find(key)?.format ?? null);
  const declared = settings.watchPatterns.map(compileGlob);
  const isWatchedAnyway = createKeyFilter({
    prefixes: table.watchedPrefixes,
    globs: settings.watchPatterns,
    everything: settings.watchEverything,
  });
  return {
    pins,
    table,
    patterns: () => [
      ...new Set([...settings.watchPatterns, ...pins.list().map(({ pattern }) => pattern)]),
    ],
    isDeclared: (key) => pins.find(key) !== null || declared.some((matches) => matches(key)),
    isWatched: (key) => isWatchedAnyway(key) || pins.find(key) !== null,
  };
}
