import type { Bytes } from '@/lib/protocol/bytes';
import { compileGlob } from '@/lib/analysis/glob';

/** The exact test behind subscription patterns, which may let more through than was asked for. */
export type KeyFilter = (key: Bytes) => boolean;

/** `globs` are the operator's; `everything` lets every key pass. */
export function createKeyFilter(options: {
  prefixes: readonly Bytes[];
  globs: readonly Bytes[];
  everything: boolean;
}): KeyFilter {
  if (options.everything) return () => true;
  const byFirstByte = new Map<number, Bytes[]>();
  for (const prefix of options.prefixes) {
    const first = prefix.charCodeAt(0);
    byFirstByte.set(first, [...(byFirstByte.get(first) ?? []), prefix]);
  }
  const globTests = options.globs.map(compileGlob);
  return (key) => {
    const candidates = byFirstByte.get(key.charCodeAt(0));
    if (candidates) for (const prefix of candidates) if (key.startsWith(prefix)) return true;
    for (const test of globTests) if (test(key)) return true;
    return false;
  };
}
