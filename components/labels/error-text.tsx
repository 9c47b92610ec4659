'use client';

import type { ErrorBody } from '@/lib/protocol/errors';
import { useSaid } from './said';

/** The sentence of an error in the reader's language. */
export function ErrorText({ error }: { error: Pick<ErrorBody['error'], 'message' | 'sentences'> }) {
  const say = useSaid();
  return <>{say(error.sentences, error.message)}</>;
}
