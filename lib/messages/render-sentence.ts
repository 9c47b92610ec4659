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

function duration(catalogue: SentenceCatalogue, ms: number): string {
  return spokenDuration(ms)
    .map(([n, unit]) => fill(catalogue[`unit:${unit}`], { n }, () => String(n)))
    .join(' ');
}

/** The sentence in words; null when the catalogue does not have it or a blank stays empty. */
export function renderSentence(wording: Wording, { id, values }: Sentence): string | null {
  const { catalogue, clock } = wording;
  const plain = (known: SentenceId): string => fill(catalogue[known], {}, String);
  if (!isKnown(catalogue, id)) return null;
  let isWhole = true;
  const text = fill(catalogue[id], values, (name) => {
    const value = values[name];
    if (value === undefined) isWhole = false;
    if (name === 'owner' && value === null) return plain('owner:unknown');
    if (typeof value !== 'number') return value ?? '';
    if (name.endsWith('Ms')) return duration(catalogue, value);
    if (!name.endsWith('At')) return String(value);
    return value < LAST_MOMENT ? clock(value) : plain('time:end');
  });
  return isWhole ? text : null;
}

/** All of them in a row; null when one cannot be said. */
export function renderSentences(wording: Wording, said: readonly Sentence[]): string | null {
  const texts = said.map((one) => renderSentence(wording, one));
  if (texts.includes(null)) return null;
  return texts.join(fill(wording.catalogue.between, {}, String));
}
