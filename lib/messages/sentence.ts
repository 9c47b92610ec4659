import type { Sentence } from '@/lib/protocol/sentence';
import type { sentences } from './en/sentences';
import type { Template } from './sentence-template';

type English = typeof sentences;
export type SentenceId = keyof English;
/** The sentences in one language. */
export type SentenceCatalogue = Record<SentenceId, Template>;

type BlanksIn<Wording> = Wording extends `${string}{${infer Name}}${infer Rest}`
  ? Name | BlanksIn<Rest>
  : never;
type BlanksOf<T> = T extends { plural: infer Count; other: infer Other }
  ? Count | BlanksIn<Other> | (T extends { one: infer One } ? BlanksIn<One> : never)
  : BlanksIn<T>;
type ValueOf<Name> = Name extends 'count' | 'n' | `${string}Ms` | `${string}At`
  ? number
  : Name extends `${string}Words`
    ? string
    : Name extends 'owner'
      ? string | null
      : string | number;
/** What the English wording of a sentence has blanks for. */
export type SentenceValues<Id extends SentenceId> = {
  [Name in BlanksOf<English[Id]> & string]: ValueOf<Name>;
};

/** Says what is the case, without words: they come from the reader's catalogue. */
export const sentence = <Id extends SentenceId>(id: Id, values: SentenceValues<Id>): Sentence => ({
  id,
  values,
});

type WordId = Extract<SentenceId, `word:${string}`>;
/** What the catalogue has as a word, for lists. */
export type Word = WordId extends `word:${infer Name}` ? Name : never;

/** The value of a blank whose name ends in `Words`. */
export const listOf = (words: readonly Word[]): string => words.join(' ');

/** A text that is the same in every language. */
export const verbatim = (text: string): Sentence => sentence('verbatim', { text });
