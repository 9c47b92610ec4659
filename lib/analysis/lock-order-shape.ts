import { printable, type Bytes } from '@/lib/protocol/bytes';

/** A lock as the order of locks is learnt: one instance of its class. */
export interface OrderedLock {
  db: number;
  key: Bytes;
  /** Printable; `*` stands for what varies. */
  class: string;
}

/** Two that read do not keep each other out. */
export type LockMode = 'read' | 'write';

export interface Place {
  lock: OrderedLock;
  mode: LockMode;
}

/** Somebody took `wanted` while holding all of `held`. */
export interface Taking {
  owner: string;
  app: string | null;
  held: readonly Place[];
  wanted: Place;
  at: number;
}

export const nameOf = ({ db, key }: OrderedLock): string => `${db}:${key}`;

/** What the key has where its class has a `*`; the whole key where the class does not fit it. */
export function varyingParts(key: string, template: string): string[] {
  const [head = '', ...rest] = template.split('*');
  const tail = rest.pop();
  if (tail === undefined) return key === template ? [] : [key];
  if (!key.startsWith(head) || !key.endsWith(tail)) return [key];
  const end = key.length - tail.length;
  const parts: string[] = [];
  let from = head.length;
  for (const piece of rest) {
    const at = key.indexOf(piece, from);
    if (at < 0) return [key];
    parts.push(key.slice(from, at));
    from = at + piece.length;
  }
  return from > end ? [key] : [...parts, key.slice(from, end)];
}

/** One lock of a shape: which variables its key is made of. Equal variables had equal values. */
export interface Term {
  class: string;
  mode: LockMode;
  variables: readonly number[];
}

/** Of two locks of one class in a shape, by index, which comes first: read as numbers, and as text. */
export interface Relation {
  lower: number;
  higher: number;
  by: 'number' | 'text';
}

/** A taking without its ids: what other takings by the same code look like. The wanted lock is the first term. */
export interface Shape {
  key: string;
  terms: readonly Term[];
  relations: readonly Relation[];
}

const DIGITS = /^\d+$/;

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareNumbers(a: string, b: string): number {
  if (!DIGITS.test(a) || !DIGITS.test(b)) return compareText(a, b);
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return left.length - right.length || compareText(left, right);
}

function compareParts(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): number {
  for (const [i, part] of a.entries()) {
    const sign = compare(part, b[i] ?? '');
    if (sign !== 0) return sign;
  }
  return a.length - b.length;
}

interface Known extends Place {
  parts: string[];
}

const partsOf = ({ db, key, class: template }: OrderedLock): string[] => [
  `db ${db}`,
  ...varyingParts(printable(key), template),
];

function relationsOf(places: readonly Known[]): Relation[] {
  const relations: Relation[] = [];
  for (const [i, a] of places.entries()) {
    for (const [offset, b] of places.slice(i + 1).entries()) {
      if (a.lock.class !== b.lock.class) continue;
      const j = i + 1 + offset;
      for (const by of ['number', 'text'] as const) {
        const sign = compareParts(a.parts, b.parts, by === 'number' ? compareNumbers : compareText);
        if (sign !== 0) relations.push({ by, lower: sign < 0 ? i : j, higher: sign < 0 ? j : i });
      }
    }
  }
  return relations;
}

/** The wanted lock first, the held ones by name: in which order they were taken makes no other shape. */
export const placesOf = ({ wanted, held }: Pick<Taking, 'wanted' | 'held'>): Place[] => [
  wanted,
  ...held.toSorted(
    (a, b) =>
      compareText(a.lock.class, b.lock.class) || compareText(nameOf(a.lock), nameOf(b.lock)),
  ),
];

/** The shape of a taking: ids become variables, and equal ones the same variable. */
export function shapeOf(places: readonly Place[]): Shape {
  const known = places.map((place) => ({ ...place, parts: partsOf(place.lock) }));
  const numbers = new Map<string, number>();
  const terms = known.map(({ lock, mode, parts }) => ({
    class: lock.class,
    mode,
    variables: parts.map((part) => {
      const number = numbers.get(part) ?? numbers.size;
      numbers.set(part, number);
      return number;
    }),
  }));
  const relations = relationsOf(known);
  return { key: JSON.stringify([terms, relations]), terms, relations };
}
