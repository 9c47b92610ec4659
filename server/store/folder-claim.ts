import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { CodedError } from '@/lib/protocol/errors';

const CLAIM_FILE = 'console.lock';
/** Whoever had the folder may be ending just now. */
const WAITED_MS = 5000;
const ASK_EVERY_MS = 100;

/**
 * Makes this process the only console on a data folder, which is there, until it calls what is returned or ends in whatever way: the
 * lock is the operating system's, on a file of its own. Two consoles would write all that happens twice.
 * @throws CodedError STORE_UNAVAILABLE when another console has it.
 */
export async function claimFolder(dataDir: string): Promise<() => void> {
  for (let waitedMs = 0; ; waitedMs += ASK_EVERY_MS) {
    const claim = tryClaim(dataDir);
    if (claim) return () => void claim.close();
    if (waitedMs >= WAITED_MS) {
      throw new CodedError(
        'STORE_UNAVAILABLE',
        `Another console runs on ${dataDir}; end it, or give this one a folder of its own.`,
      );
    }
    await pause(ASK_EVERY_MS);
  }
}

function tryClaim(dataDir: string): Database.Database | null {
  let file: Database.Database | null = null;
  try {
    file = new Database(join(dataDir, CLAIM_FILE), { timeout: 0 });
    file.exec('begin exclusive');
    return file;
  } catch (error) {
    file?.close();
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null;
    throw new CodedError(
      'STORE_UNAVAILABLE',
      `The folder ${dataDir} cannot be used; check LOCKSCOPE_DATA_DIR and its rights.`,
    );
  }
}
