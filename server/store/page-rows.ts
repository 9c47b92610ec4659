import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import { PAGE_KINDS, type PageKind, type Schema } from './schema';

export interface NewPage {
  targetId: number;
  spanMs: number;
  step: number;
  /** Position in `PAGE_KINDS`. */
  kind: number;
  bytes: Uint8Array;
}

/** Two parts of one page never meet in a number of 48 bits. */
export const newPart = (): number => randomInt(2 ** 48 - 1);

/** One part of each page. False = that part is there already, and nothing more was added. */
export async function insertPages(
  db: Kysely<Schema>,
  pages: readonly NewPage[],
  part = newPart(),
): Promise<boolean> {
  for (const { targetId, spanMs, step, kind, bytes } of pages) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('pages')
      .values({ target_id: targetId, span_ms: spanMs, kind, step, part, bytes })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) return false;
  }
  return true;
}

export interface PartsRange {
  targetId: number;
  spanMs: number;
  kind: PageKind;
  /** Steps in [from, to). */
  from: number;
  to: number;
}

const inRange = (db: Kysely<Schema>, { targetId, spanMs, kind, from, to }: PartsRange) =>
  db
    .selectFrom('pages')
    .where('target_id', '=', targetId)
    .where('span_ms', '=', spanMs)
    .where('kind', '=', PAGE_KINDS.indexOf(kind))
    .where('step', '>=', from)
    .where('step', '<', to);

/** Oldest step first. */
export function readParts(
  db: Kysely<Schema>,
  range: PartsRange,
): Promise<{ step: number; part: number; bytes: Uint8Array }[]> {
  return inRange(db, range).select(['step', 'part', 'bytes']).orderBy('step').execute();
}

/** The same without what is in them. */
export function listParts(
  db: Kysely<Schema>,
  range: PartsRange,
): Promise<{ step: number; part: number }[]> {
  return inRange(db, range).select(['step', 'part']).orderBy('step').orderBy('part').execute();
}

/** Start of the first step that is there. */
export async function firstStepIn(db: Kysely<Schema>, range: PartsRange): Promise<number | null> {
  const row = await inRange(db, range).select('step').orderBy('step').limit(1).executeTakeFirst();
  return row?.step ?? null;
}

/** Start of the first step of any kind that is there, not before `from`. */
export async function firstStep(
  db: Kysely<Schema>,
  { targetId, spanMs, from }: { targetId: number; spanMs: number; from: number },
): Promise<number | null> {
  const firsts: number[] = [];
  for (const kind of PAGE_KINDS) {
    const range = { targetId, spanMs, kind, from, to: Number.MAX_SAFE_INTEGER };
    const first = await firstStepIn(db, range);
    if (first !== null) firsts.push(first);
  }
  return firsts.length === 0 ? null : Math.min(...firsts);
}
