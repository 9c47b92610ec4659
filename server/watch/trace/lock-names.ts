import type { FormatTable } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import { createKeyFilter } from '@/server/watch/key-filter';

/**
 * Whether a key that nobody has seen yet may be a lock by its name: under a format's own prefix and of its shape,
 * or of a pattern that an operator gave. Watching every key says nothing about a name.
 */
export function createLockNames(options: {
  formats: Pick<FormatTable, 'formats'>;
  globs: readonly Bytes[];
}): (key: Bytes) => boolean {
  const named = options.formats.formats.filter(({ prefixes }) => prefixes.length > 0);
  const prefixes = named.flatMap((format) => format.prefixes);
  const isUnderPrefix = createKeyFilter({ prefixes, globs: [], everything: false });
  const isDeclared = createKeyFilter({ prefixes: [], globs: options.globs, everything: false });
  return (key) =>
    isDeclared(key) ||
    (isUnderPrefix(key) &&
      named.some(
        (format) =>
          format.matchesKey(key) && format.prefixes.some((prefix) => key.startsWith(prefix)),
      ));
}
