import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';

const FETCHED = join(ROOT, 'test', 'results', 'servers', '8.2', 'redis-server');

function majorOf(program: string): number {
  try {
    const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
    return Number(/v=(\d+)/.exec(said)?.[1] ?? 0);
  } catch {
    // There is none, or none that runs here: the tests that need it say that they are skipped.
    return 0;
  }
}

/**
 * The program of a Redis that counts in INFO whom it cut off for full buffers: the system's if it is 8 or newer, else
 * the one that `--redis 8.2` of the test command fetched; null where neither is.
 */
export const countingRedis: string | null =
  ['redis-server', ...(existsSync(FETCHED) ? [FETCHED] : [])].find(
    (program) => majorOf(program) >= 8,
  ) ?? null;
