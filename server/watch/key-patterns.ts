import type { Bytes } from '@/lib/protocol/bytes';
import { escapeGlob, globHead } from '@/server/redis/glob';

/** Redis walks every pattern of every subscriber for every event, so there are few. */
export const MAX_PATTERNS = 4;

/** Distinct byte values that keys commonly use at one position; scales how loose a class is. */
const ALPHABET = 64;

/**
 * At most `limit` globs that together match every key that begins with one of `prefixes` or matches one
 * of `globs`. With more wishes than patterns, heads are merged into positional character classes
 * (`[bl][ou][cl]*`), which let other keys through: filter what arrives.
 */
export function planKeyPatterns(
  wishes: { prefixes: readonly Bytes[]; globs: readonly Bytes[]; everything: boolean },
  limit = MAX_PATTERNS,
): Bytes[] {
  if (wishes.everything) return ['*'];
  const heads = withoutCovered(wishes.prefixes);
  const globs = wishes.globs.filter((glob) => !heads.some((head) => glob.startsWith(head)));
  const exact = [...heads.map((head) => `${escapeGlob(head)}*`), ...new Set(globs)];
  if (exact.length <= limit) return exact;

  const headless = globs.filter((glob) => globHead(glob).head === '');
  const room = limit - headless.length;
  if (room < 1) return ['*'];
  const all = withoutCovered([
    ...heads,
    ...globs.map((glob) => globHead(glob).head).filter((head) => head !== ''),
  ]);
  return [...headless, ...mergeHeads(all, room).map(classPattern)];
}

function withoutCovered(prefixes: readonly Bytes[]): Bytes[] {
  const distinct = [...new Set(prefixes)];
  return distinct.filter(
    (prefix) => !distinct.some((other) => other !== prefix && prefix.startsWith(other)),
  );
}

/** Merges the pair that loses least selectivity until `limit` groups are left. */
function mergeHeads(heads: readonly Bytes[], limit: number): Bytes[][] {
  const groups = heads.map((head) => [head]);
  while (groups.length > limit) {
    let best: { i: number; j: number; loss: number } | null = null;
    for (let i = 0; i < groups.length; i++) {
      for (let j = i + 1; j < groups.length; j++) {
        const a = groups[i] ?? [];
        const b = groups[j] ?? [];
        const loss = breadth([...a, ...b]) - breadth(a) - breadth(b);
        if (best === null || loss < best.loss) best = { i, j, loss };
      }
    }
    if (best === null) break;
    groups[best.i] = [...(groups[best.i] ?? []), ...(groups[best.j] ?? [])];
    groups.splice(best.j, 1);
  }
  return groups;
}

function classes(heads: readonly Bytes[]): string[][] {
  const length = Math.min(...heads.map((head) => head.length));
  return Array.from({ length }, (_, i) => [...new Set(heads.map((head) => head.charAt(i)))].sort());
}

/** The share of all keys that the merged pattern lets through, roughly. */
function breadth(heads: readonly Bytes[]): number {
  return classes(heads).reduce((share, chars) => share * (chars.length / ALPHABET), 1);
}

function classPattern(heads: readonly Bytes[]): Bytes {
  const parts = classes(heads).map((chars) =>
    chars.length === 1 ? escapeGlob(chars[0] ?? '') : `[${chars.map(escapeGlob).join('')}]`,
  );
  return `${parts.join('')}*`;
}
