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

/** The times that a date can stand for end here (ECMA-262, 21.4.1.1). */
const LAST_MS = 8.64e15;

const canBeShown = (value: unknown): boolean =>
  typeof value === 'number'
    ? Math.abs(value) <= LAST_MS
    : typeof value !== 'object' || value === null || Object.values(value).every(canBeShown);

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
  return read.success && canBeShown(read.data) ? read.data : null;
}
