import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';

/** What one library's run came to; a row of the summary. Times in ms. */
export interface LibraryResult {
  ecosystem: string;
  library: string;
  title: string;
  /** As installed; null where it is not. */
  package: string | null;
  version: string | null;
  redis: string;
  outcome: 'ran' | 'failed' | 'skipped';
  /** Why it was skipped, or which parts of its story failed. */
  because: string | null;
  /** Parts of its story that came true. */
  parts: readonly string[];
  /** What the console said of one waiting client. */
  waiters: string | null;
  /** What its library told the old holder after a forced release, and whether it took the lock again. */
  oldHolder: string | null;
  cameBack: boolean | null;
  /**
   * From the console's delete, as Redis announced it, to the waiter's own acquire. `timed` = how often. Left
   * out for libraries that poll.
   */
  wake?: { timed: number; p50: number; p99: number; max: number; otherwiseMs: number };
  notes: readonly string[];
}

/** Where the rows are kept, one file each; `npm run test:interop` makes a table of them. */
export const RESULTS = join(ROOT, 'test', 'results', 'interop');

export function writeResult(result: LibraryResult): void {
  mkdirSync(RESULTS, { recursive: true });
  const path = join(RESULTS, `${result.ecosystem}-${result.library}.json`);
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
}

/** The value below which `share` of them are (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
