import { formatTable } from '@/lib/formats';
import type { FormatTable } from '@/lib/formats/format';
import { QUEUE_PREFIX, TIMEOUTS_PREFIX } from '@/lib/formats/redisson-names';
import { DEFAULT_PREFIX } from '@/lib/lock/names';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import type { Settings } from '@/server/config';
import { bytesFromPrintable } from '@/server/queries/printed-key';
import { compileGlob, escapeGlob } from '@/lib/analysis/glob';

/** Which locks somebody wants to hear of. */
export interface WatchSelection {
  /** Globs to subscribe to, with those of the keys beside the locks. */
  patterns: readonly Bytes[];
  everything: boolean;
  formats: FormatTable;
  /** Whether a key is a lock whatever it holds. */
  isDeclared: (key: Bytes) => boolean;
  /** Whether changes of this lock are told. */
  isWanted: (key: Bytes) => boolean;
  /** The keys meant, where they were named one by one. */
  keys: readonly Bytes[];
}

type Wishes = Pick<Settings, 'watchPatterns' | 'watchEverything'>;

/** One lock by name or key, those of a pattern, or all that the settings watch. */
export function selectLocks(
  settings: Wishes,
  { key, pattern }: { key?: string; pattern?: string },
): WatchSelection {
  if (key !== undefined) {
    const keys = behindPrefix(bytesFromPrintable(key));
    const isMeant = (each: Bytes): boolean => keys.includes(each);
    return { ...some(keys.map(escapeGlob)), isDeclared: isMeant, isWanted: isMeant, keys };
  }
  const declared = settings.watchPatterns.map(compileGlob);
  const isDeclared = (each: Bytes): boolean => declared.some((matches) => matches(each));
  if (pattern !== undefined) {
    const globs = behindPrefix(bytesFromText(pattern));
    const tests = globs.map(compileGlob);
    const isWanted = (each: Bytes): boolean => tests.some((matches) => matches(each));
    return { ...some(globs), isDeclared, isWanted, keys: [] };
  }
  return {
    patterns: settings.watchPatterns,
    everything: settings.watchEverything,
    formats: formatTable,
    isDeclared,
    isWanted: () => true,
    keys: [],
  };
}

const behindPrefix = (given: Bytes): Bytes[] =>
  given.startsWith(DEFAULT_PREFIX) ? [given] : [DEFAULT_PREFIX + given, given];

/** Of a busy Redis only what was asked for is sent: those keys, and the queues beside them. */
function some(
  globs: readonly Bytes[],
): Pick<WatchSelection, 'patterns' | 'everything' | 'formats'> {
  const queues = globs.flatMap((glob) =>
    [QUEUE_PREFIX, TIMEOUTS_PREFIX].flatMap((prefix) => [`${prefix}{${glob}}`, prefix + glob]),
  );
  return {
    patterns: [...globs, ...queues],
    everything: false,
    formats: { ...formatTable, watchedPrefixes: [] },
  };
}
