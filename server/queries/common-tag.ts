/** Odd places of what it splits are separators. */
const PARTS = /([^\p{L}\p{N}_]+)/u;
/** For names that share nothing: it puts all of these locks into one slot. */
const SHARED_BY_ALL = '{locks}:';

const segmentsOf = (name: string): string[] =>
  name.split(PARTS).filter((part, i) => i % 2 === 0 && part !== '');

/** An id is shared by fewer locks than a word is. */
const byUse = (a: string, b: string): number =>
  Number(/\d/.test(b)) - Number(/\d/.test(a)) || b.length - a.length;

function tagged(name: string, segment: string): string {
  const parts = name.split(PARTS);
  const at = parts.indexOf(segment);
  return parts.map((part, i) => (i === at ? `{${part}}` : part)).join('');
}

/**
 * The names with a hash tag in common, so that a Redis Cluster keeps them in one slot: around what they share anyhow, else
 * one before all. A lock must be named the same wherever it is taken.
 */
export function withCommonTag(names: readonly string[]): string[] {
  const bare = names.map((name) => name.replaceAll(/[{}]/g, ''));
  const [first = '', ...others] = bare;
  const shared = segmentsOf(first).filter((segment) =>
    others.every((name) => segmentsOf(name).includes(segment)),
  );
  const [segment] = shared.toSorted(byUse);
  return bare.map((name) => (segment === undefined ? SHARED_BY_ALL + name : tagged(name, segment)));
}
