import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Proposal } from '@/lib/protocol/libraries';
import type { KeyClass } from './class-book';
import { rankOf } from './judge-sample';
import { mergeClasses } from './merge-classes';
import { isTooWide } from './pin-rules';
import { recognisedBy } from './recognised-by';

const MAX_PROPOSALS = 200;
/** Words by which people name locks. */
const LOCK_WORD = /lock|mutex|semaphore|latch|leader|singleton|lease|guard/i;

/** What looks like locks, the surest and most contended first. `isWatched` says it of a key. */
export function proposalsOf(
  classes: Iterable<KeyClass>,
  isWatched: (key: Bytes) => boolean,
): Proposal[] {
  const wanted = [...classes].filter((each) => isProposed(each));
  return mergeClasses(wanted)
    .map((each) => ({ of: each, proposal: toProposal(each, isWatched) }))
    .toSorted(
      (a, b) =>
        rankOf({ certainty: a.proposal.sure }) - rankOf({ certainty: b.proposal.sure }) ||
        b.of.contended - a.of.contended ||
        b.proposal.keys - a.proposal.keys ||
        (a.proposal.pattern < b.proposal.pattern ? -1 : 1),
    )
    .slice(0, MAX_PROPOSALS)
    .map(({ proposal }) => proposal);
}

/** What most of the keys read fit. */
const fitting = ({ fits, sampled }: KeyClass) =>
  [...fits.values()]
    .filter(({ count }) => 2 * count >= sampled)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count);

/**
 * A value alone says little where other things are written so, too: then the name must speak of locks, or the
 * keys live no longer than locks do, or somebody waits for them.
 */
function isProposed(each: KeyClass): boolean {
  const [best] = fitting(each);
  if (!best) return false;
  const { template, shortLived, sampled, contended } = each;
  return (
    best.certainty !== 'looks-like' ||
    contended > 0 ||
    2 * shortLived >= sampled ||
    LOCK_WORD.test(template)
  );
}

/** The class as a glob: its stars mean what a glob's do, the rest stands for itself. */
export const globOf = (template: Bytes): Bytes => template.replace(/[\\?[]/g, '\\$&');

function toProposal(each: KeyClass, isWatched: (key: Bytes) => boolean): Proposal {
  const pattern = globOf(each.template);
  const formats = fitting(each);
  const example = each.examples[0];
  return {
    pattern: printable(pattern),
    canPin: !isTooWide(pattern),
    formats: formats.map(({ format, certainty, because, count }) => {
      const why = recognisedBy(because);
      return {
        ...{ id: format.id, name: format.name, certainty },
        ...{ because: why.text, sentences: why.sentences, fits: count },
      };
    }),
    keys: each.keys,
    sampled: each.sampled,
    examples: each.examples.map(printable),
    withTtl: each.withTtl,
    types: [...each.types].toSorted(),
    contended: each.contended,
    sure: formats[0]?.certainty ?? 'looks-like',
    watched: example !== undefined && isWatched(example),
  };
}
