import type { Bytes } from '@/lib/protocol/bytes';
import { emptyClass, EXAMPLES, type KeyClass } from './class-book';
import { rankOf } from './judge-sample';

/** As many classes that differ in one word alone are one class of which the word is a part that varies. */
const LEAST_ALIKE = 4;
const SEPARATORS = /([:/.\-_#|{}@,;= ]+)/;

/** The format that most of the class's keys fit best. */
const bestFormat = ({ fits }: KeyClass): string =>
  [...fits.values()].toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count)[0]?.format.id ??
  '';

/** Templates that stand for this one when one of its words varies. */
function looser(template: Bytes): Bytes[] {
  const parts = template.split(SEPARATORS);
  return parts.flatMap((part, i) => {
    const isWord = i % 2 === 0 && part !== '' && !part.includes('*');
    return isWord ? [parts.with(i, '*').join('')] : [];
  });
}

/**
 * Names of locks are often words (`stock:apple`, `stock:pear`), which make a class each. Those of one library
 * that differ in one word become one class.
 */
export function mergeClasses(classes: readonly KeyClass[]): KeyClass[] {
  const groups = new Map<string, { template: Bytes; members: KeyClass[] }>();
  for (const each of classes) {
    for (const template of looser(each.template)) {
      const name = `${bestFormat(each)}\n${template}`;
      const group = groups.get(name);
      if (group) group.members.push(each);
      else groups.set(name, { template, members: [each] });
    }
  }
  const left = new Set(classes);
  const merged: KeyClass[] = [];
  for (const { template, members } of largestFirst([...groups.values()])) {
    const free = members.filter((each) => left.has(each));
    if (free.length < LEAST_ALIKE) continue;
    for (const each of free) left.delete(each);
    merged.push(sumOf(template, free));
  }
  return [...left, ...merged];
}

const largestFirst = <G extends { members: readonly unknown[] }>(groups: readonly G[]): G[] =>
  groups.toSorted((a, b) => b.members.length - a.members.length);

function sumOf(template: Bytes, classes: readonly KeyClass[]): KeyClass {
  const sum = emptyClass(template);
  for (const each of classes) {
    sum.keys += each.keys;
    sum.sampled += each.sampled;
    sum.withTtl += each.withTtl;
    sum.shortLived += each.shortLived;
    sum.contended += each.contended;
    for (const type of each.types) sum.types.add(type);
    sum.examples.push(...each.examples.slice(0, EXAMPLES - sum.examples.length));
    for (const [id, fit] of each.fits) {
      const known = sum.fits.get(id);
      if (known) known.count += fit.count;
      else sum.fits.set(id, { ...fit });
    }
  }
  return sum;
}
