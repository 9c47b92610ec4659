import type { Bytes } from '@/lib/protocol/bytes';
import { escapeGlob, globHead } from '@/lib/analysis/glob';
import { classesOf, groupHeads } from './head-groups';

/** Redis walks every pattern of every subscriber for every event, so there are few. */
export const MAX_PATTERNS = 4;

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
  const groups = room === 1 ? [all] : groupHeads(fewer(all), room);
  return [...headless, ...groups.map(classPattern)];
}

/** Grouping more heads than that takes too long. */
const MOST_HEADS = 48;

/** Puts what they begin with in the place of heads that have it in common, the longest first. */
function fewer(heads: readonly Bytes[]): readonly Bytes[] {
  let left = [...heads].sort();
  while (left.length > MOST_HEADS) {
    const common = left.map((head, i) => commonHead(head, left[i + 1] ?? ''));
    const longest = common.reduce((a, b) => (b.length > a.length ? b : a), '');
    // By one byte hardly a key would be kept out.
    if (longest.length < 2) break;
    left = withoutCovered([longest, ...left.filter((head) => !head.startsWith(longest))]).sort();
  }
  return left;
}

function commonHead(a: Bytes, b: Bytes): Bytes {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

function withoutCovered(prefixes: readonly Bytes[]): Bytes[] {
  const distinct = [...new Set(prefixes)];
  return distinct.filter(
    (prefix) => !distinct.some((other) => other !== prefix && prefix.startsWith(other)),
  );
}

function classPattern(heads: readonly Bytes[]): Bytes {
  const parts = classesOf(heads).map((bytes) => {
    const escaped = [...bytes].sort().map(escapeGlob);
    return escaped.length === 1 ? escaped.join('') : `[${escaped.join('')}]`;
  });
  return `${parts.join('')}*`;
}
