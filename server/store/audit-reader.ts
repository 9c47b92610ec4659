import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { ZodError } from 'zod';
import type { AuditEntry } from '@/lib/protocol/audit';
import { CodedError } from '@/lib/protocol/errors';
import { lastLink, readAuditForward, verifyAudit } from './audit';
import type { Backend } from './backend';
import { unavailable } from './health';
import { createPostgresBackend } from './postgres-backend';
import { createSqliteBackend } from './sqlite-backend';
import { DATABASE_FILE, type StoreOptions } from './store';

/** The audit of a database that somebody else writes. */
export interface AuditReader {
  /** Where the audit is kept, for people. */
  readonly place: string;
  /** `brokenAt` is the first seq that does not fit; `lastHash` that of the newest entry, null without any. */
  verify: () => Promise<{ entries: number; brokenAt: number | null; lastHash: string | null }>;
  /** Oldest first. `from` ≤ at < `to`, epoch ms. */
  entries: (range: { from?: number; to?: number }) => AsyncGenerator<AuditEntry>;
  close: () => Promise<void>;
}

/**
 * Opens the audit for reading only: nothing is made, migrated or tidied, so that it can be looked at beside a
 * console that runs. All calls reject with NOT_FOUND where there is no audit, and with STORE_UNAVAILABLE.
 */
export async function openAuditReader(
  options: Pick<StoreOptions, 'databaseUrl' | 'dataDir'>,
): Promise<AuditReader> {
  const { databaseUrl, dataDir } = options;
  const file = join(dataDir, DATABASE_FILE);
  if (databaseUrl === null && !existsSync(file)) throw noAudit(file);
  const backend = databaseUrl ? createPostgresBackend(databaseUrl) : createSqliteBackend(file);
  const place = databaseUrl ? 'the database of LOCKSCOPE_DATABASE_URL' : file;
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw asCoded(backend, place, error);
    }
  };
  await reading(() => backend.openReader());
  return {
    place,
    verify: () =>
      reading(async () => {
        const { entries, brokenAt } = await verifyAudit(backend);
        return { entries, brokenAt, lastHash: await lastLink(backend) };
      }),
    entries: async function* ({ from, to }) {
      let after = 0;
      for (;;) {
        const page = await reading(() => readAuditForward(backend, { from, to, after }));
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        after = last.seq;
      }
    },
    close: () => backend.close(),
  };
}

const noAudit = (place: string): CodedError =>
  new CodedError(
    'NOT_FOUND',
    `There is no audit in ${place}: nothing has been done yet, or LOCKSCOPE_DATA_DIR or LOCKSCOPE_DATABASE_URL names another place.`,
  );

/** What both databases say of a table that is not there. */
const NO_TABLE = /no such table|relation "?audit"? does not exist/i;

function asCoded(backend: Backend, place: string, error: unknown): unknown {
  if (error instanceof Error && NO_TABLE.test(error.message)) return noAudit(place);
  if (error instanceof SyntaxError || error instanceof ZodError) {
    return new CodedError(
      'STORE_UNAVAILABLE',
      `An entry of the audit in ${place} is not as it was written; "audit verify" says which.`,
    );
  }
  const breakage = backend.breakage(error);
  return breakage ? unavailable(breakage.problem) : error;
}
