import { inEnglish } from '@/lib/messages/in-english';
import type { AlertCode } from '@/lib/protocol/alert';
import type { Evidence } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';
import type { TargetWarning } from '@/lib/protocol/target';

/** A warning in sentences, which the reader's own language is made of. */
export interface ToldWarning {
  code: AlertCode;
  message: Sentence[];
  /** Exact enough to paste. */
  remedy: Sentence;
  /** Left out = observed. */
  evidence?: Evidence;
}

/** With the same in English, for programs. */
export const inWords = ({ code, message, remedy, evidence }: ToldWarning): TargetWarning => ({
  code,
  message: inEnglish(message),
  remedy: inEnglish([remedy]),
  sentences: { message, remedy: [remedy] },
  ...(evidence && { evidence }),
});
