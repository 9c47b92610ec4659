import { LAST_MOMENT } from '@/lib/protocol/time';
import type { Sentence } from '@/lib/protocol/sentence';
import type { SentenceCatalogue, SentenceId } from './sentence';
import type { Template } from './sentence-template';
import { spokenDuration } from './spoken-duration';

/** How a language and its reader see it. */
export interface Wording {
  catalogue: SentenceCatalogue;
  /** Says a time of day; `at` is epoch ms. */
  clock: (at: number) => string;
}

type Values = Sentence['values'];

/** A blank of a wording: {name}. What a value says is not looked at again. */
const BLANK = /\{(\w+)\}/g;

const isKnown = (catalogue: SentenceCatalogue, id: string): id is SentenceId =>
  Object.hasOwn(catalogue, id);

/** Only "one" is told from the rest: so it is in English, and a language without plurals says `other`. */
function wordingOf(template: Template, values: Values): string {
  if (typeof template === 'string') return template;
  return values[template.plural] === 1 ? (template.one ?? template.other) : template.other;
}

const fill = (template: Template, values: Values, say: (name: string) => string): string =>
  wordingOf(template, values).replaceAll(BLANK, (_, name: string) => say(name));

const plain = (catalogue: SentenceCatalogue, id: SentenceId): string =>
  fill(catalogue[id], {}, String);

function duration(catalogue: SentenceCatalogue, ms: number): string {
  return spokenDuration(ms)
    .map(([n, unit]) => fill(catalogue[`unit:${unit}`], { n }, () => String(n)))
    .join(' ');
}

/** A list of what the catalogue has as words; null when it lacks one. */
function words(catalogue: SentenceCatalogue, list: string): string | null {
  const said = list.split(' ').map((word) => {
    const id = `word:${word}`;
    return isKnown(catalogue, id) ? plain(catalogue, id) : null;
  });
  return said.includes(null) ? null : said.join(plain(catalogue, 'list:between'));
}

/** What stands in the blank of that name; null when that cannot be said. */
function valueIn(
  { catalogue, clock }: Wording,
  name: string,
  value: Values[string] | undefined,
): string | null {
  if (value === null && name === 'owner') return plain(catalogue, 'owner:unknown');
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return name.endsWith('Words') ? words(catalogue, value) : value;
  if (name.endsWith('Ms')) return duration(catalogue, value);
  if (!name.endsWith('At')) return String(value);
  return value < LAST_MOMENT ? clock(value) : plain(catalogue, 'time:end');
}

/** The sentence in words; null when the catalogue does not have it or a blank stays empty. */
export function renderSentence(wording: Wording, { id, values }: Sentence): string | null {
  if (!isKnown(wording.catalogue, id)) return null;
  let isWhole = true;
  const text = fill(wording.catalogue[id], values, (name) => {
    const said = valueIn(wording, name, values[name]);
    if (said === null) isWhole = false;
    return said ?? '';
  });
  return isWhole ? text : null;
}

/** All of them in a row; null when one cannot be said. */
export function renderSentences(wording: Wording, said: readonly Sentence[]): string | null {
  const texts = said.map((one) => renderSentence(wording, one));
  if (texts.includes(null)) return null;
  return texts.join(plain(wording.catalogue, 'between'));
}
