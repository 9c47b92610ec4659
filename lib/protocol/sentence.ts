import { z } from 'zod';

/**
 * A sentence that each reader's own catalogue words: its id there and what fills the blanks. A value
 * whose name ends in `Ms` is a duration, one whose name ends in `At` a time (epoch ms); one that
 * ends in `Words` the ids of words with spaces between; `owner` is null when nobody knows who.
 */
export const Sentence = z.object({
  id: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type Sentence = z.infer<typeof Sentence>;

/** English for who does not render: answers, the audit, logs. The sentences are for who does. */
export interface Said {
  text: string;
  sentences: Sentence[];
}
