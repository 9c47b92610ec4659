import { z } from 'zod';
import { Deadlock } from './deadlock';

/** A deadlock as a file: kept, sent to somebody, opened again in any console. */
export const DeadlockFile = z.object({
  kind: z.literal('lockscope-deadlock'),
  version: z.literal(1),
  /** Epoch ms. */
  exportedAt: z.number().int(),
  deadlock: Deadlock,
});
export type DeadlockFile = z.infer<typeof DeadlockFile>;

/** No deadlock is so large; beyond it a file is something else. */
export const MOST_FILE_BYTES = 4 * 1024 * 1024;

/** Null when the text is no file of ours, whatever is wrong with it. */
export function readDeadlockFile(text: string): DeadlockFile | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // No JSON, so no file of ours: the page says so.
    return null;
  }
  const read = DeadlockFile.safeParse(json);
  return read.success ? read.data : null;
}
