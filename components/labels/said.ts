'use client';

import { useMessages } from 'use-intl';
import { renderSentences } from '@/lib/messages/render-sentence';
import type { SentenceCatalogue } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import { useClockText } from './time';

/**
 * Says what the server says in the reader's language and zone. `english` is the text that came with it:
 * said when there are no sentences, or one that this catalogue does not have.
 */
export function useSaid(): (said: readonly Sentence[] | undefined, english: string) => string {
  const catalogue: SentenceCatalogue = useMessages().sentences;
  const clock = useClockText();
  return (said, english) => (said && renderSentences({ catalogue, clock }, said)) ?? english;
}
