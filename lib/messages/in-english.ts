import type { Said, Sentence } from '@/lib/protocol/sentence';
import { sentences } from './en/sentences';
import { isMoment } from '@/lib/protocol/time';
import { sentence, type SentenceId, type SentenceValues } from './sentence';
import { renderSentence, type Wording } from './render-sentence';

/** A time of day in UTC because the reader's zone is unknown: "14:03:10 UTC". */
const utcClock = (at: number): string =>
  isMoment(at) ? `${new Date(at).toISOString().slice(11, 19)} UTC` : '?';

const ENGLISH: Wording = { catalogue: sentences, clock: utcClock };

/** For answers, the audit and logs, whose language is English. */
export const inEnglish = (said: readonly Sentence[]): string =>
  said.map((one) => renderSentence(ENGLISH, one) ?? one.id).join(' ');

/** A sentence with its English, as an error carries it. */
export function said<Id extends SentenceId>(id: Id, values: SentenceValues<Id>): Said {
  const sentences = [sentence(id, values)];
  return { text: inEnglish(sentences), sentences };
}
