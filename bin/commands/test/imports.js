import { posix } from 'node:path';

const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/g;

function resolveImport(from, specifier) {
  if (specifier.startsWith('@/')) return specifier.slice(2);
  if (!specifier.startsWith('.')) return specifier;
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

/**
 * What the source text at `path` (from the root) imports, as `{to, typeOnly}`: files of this project as
 * paths from the root without extension, packages as they are.
 */
export function readImports(path, text) {
  return [...text.matchAll(IMPORT)].map((match) => ({
    to: resolveImport(path, match[3] ?? match[4] ?? ''),
    typeOnly: match[2] !== undefined,
  }));
}
