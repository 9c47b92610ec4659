import type { Kysely } from 'kysely';
import type { Backend } from './backend';
import type { Tier } from './history-contract';
import { firstStep, insertPages, listParts, readParts } from './page-rows';
import { KEPT_ONE_BY_ONE, StepTables } from './pages/step-tables';
import { PAGE_KINDS, type PageKind, type Schema } from './schema';
import { keepLockSeries } from './lock-series';
import {
  ceilTo,
  covers,
  floorTo,
  readTierStates,
  saveTierState,
  type TierState,
} from './tier-states';
import { createTurns, type Turns } from './turns';

/** Corrections reach ten minutes back: after this nothing should come for a step any more. */
export const SETTLED_MS = 15 * 60 * 1000;

export interface Compaction {
  backend: Backend;
  tiers: readonly Tier[];
  /** Epoch ms. */
  now: number;
  /** Runs the work that writes between other writes. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Builds the next page of a longer step out of shorter ones. True = there may be more to do. What was read is added
 * up beside other writes; it is written only if no part has come to those pages meanwhile, in one transaction with
 * how far the tier has been built.
 */
export async function compactionStep(compaction: Compaction): Promise<boolean> {
  const { backend, tiers, now } = compaction;
  for (const { id } of await backend.reader.selectFrom('targets').select('id').execute()) {
    for (const tier of tiers.slice(1)) {
      const states = await readTierStates(backend.reader, id, tiers);
      const next = await nextStep(backend.reader, { targetId: id, tier, states, now });
      if (!next) continue;
      await build(compaction, next);
      return true;
    }
  }
  return false;
}

interface Next {
  targetId: number;
  tier: Tier;
  /** As the tier will be. */
  built: TierState;
  /** As far as it is built by now; null = not begun. */
  before: number | null;
  source: TierState;
  /** The step to build; null = there is nothing to build it of. */
  step: number | null;
}

async function nextStep(
  db: Kysely<Schema>,
  at: { targetId: number; tier: Tier; states: TierState[]; now: number },
): Promise<Next | null> {
  const { targetId, tier, states, now } = at;
  const { spanMs } = tier;
  const sources = states.filter((state) => state.spanMs < spanMs && spanMs % state.spanMs === 0);
  const own = states.find((state) => state.spanMs === spanMs);
  const from = own?.until ?? (await firstOf(db, targetId, sources, spanMs));
  const settled = floorTo(now - SETTLED_MS, spanMs);
  if (from === null || from >= settled) return null;
  const source = sources.findLast((state) => state.from <= from && state.until >= from + spanMs);
  const ahead = { targetId, tier, before: own?.until ?? null };
  if (!source) {
    // Shorter steps of that time are gone, or not built yet.
    const later = sources.find(
      (state) => state.from > from && covers(state, ceilTo(state.from, spanMs)),
    );
    if (!later) return null;
    const until = ceilTo(later.from, spanMs);
    return {
      ...ahead,
      source: later,
      step: null,
      built: { spanMs, from: own?.from ?? until, until },
    };
  }
  const begin = own?.from ?? ceilTo(source.from, spanMs);
  const end = Math.min(settled, floorTo(source.until, spanMs));
  const first = await firstStep(db, { targetId, spanMs: source.spanMs, from });
  const step = first === null ? Infinity : floorTo(first, spanMs);
  return step >= end
    ? { ...ahead, source, step: null, built: { spanMs, from: begin, until: end } }
    : { ...ahead, source, step, built: { spanMs, from: begin, until: step + spanMs } };
}

/** Start of the first step that the sources have pages of. */
async function firstOf(
  db: Kysely<Schema>,
  targetId: number,
  sources: readonly TierState[],
  spanMs: number,
): Promise<number | null> {
  const firsts: number[] = [];
  for (const { spanMs: ofSource, from } of sources) {
    const first = await firstStep(db, { targetId, spanMs: ofSource, from });
    if (first !== null) firsts.push(floorTo(first, spanMs));
  }
  return firsts.length === 0 ? null : Math.min(...firsts);
}

type Part = { kind: PageKind; step: number; part: number };

async function build({ backend, tiers, inTurn }: Compaction, next: Next): Promise<void> {
  const { targetId, tier, built, before, source, step } = next;
  const { spanMs } = tier;
  const range = { targetId, spanMs: source.spanMs, from: step ?? 0, to: (step ?? 0) + spanMs };
  const sum = step === null ? null : await addedUp(backend.reader, range, KEPT_ONE_BY_ONE);
  await inTurn(() =>
    backend.db.transaction().execute(async (transaction) => {
      await backend.lockDuty(transaction, 'rebuild-pages');
      const states = await readTierStates(transaction, targetId, tiers);
      const now = states.find((state) => state.spanMs === spanMs);
      const isSame = (now?.until ?? null) === before;
      if (!isSame || (sum && !(await hasSameParts(transaction, range, sum.parts)))) return;
      if (await hasPagesBefore(transaction, next)) return;
      await insertPages(
        transaction,
        (sum?.pages ?? []).map((page) => ({ targetId, spanMs, step: step ?? 0, ...page })),
      );
      if (sum) await keepLockSeries(transaction, sum.tables.lockIds, { tiers, ...built });
      await saveTierState(transaction, targetId, { ...built, from: now?.from ?? built.from });
    }),
  );
}

/** Whether a step came to a time that was found empty: that before the step to build, or all. */
async function hasPagesBefore(db: Kysely<Schema>, { targetId, source, before, built, step }: Next) {
  const from = before ?? built.from;
  const first = await firstStep(db, { targetId, spanMs: source.spanMs, from });
  return first !== null && first < (step ?? built.until);
}

interface PagesRange {
  targetId: number;
  spanMs: number;
  from: number;
  to: number;
}

/** All pages of a range as one, in turns with everything else. */
async function addedUp(db: Kysely<Schema>, range: PagesRange, keep: number) {
  const tables = new StepTables();
  const parts: Part[] = [];
  const turns = createTurns();
  for (const kind of PAGE_KINDS) {
    for (const { step, part, bytes } of await readParts(db, { ...range, kind })) {
      parts.push({ kind, step, part });
      await inTurns(tables.addPage(kind, bytes), turns);
    }
  }
  await inTurns(tables.limit(keep), turns);
  await inTurns(tables.settle(), turns);
  const pages: { kind: number; bytes: Uint8Array }[] = [];
  for (const page of tables.encode()) {
    pages.push(page);
    if (turns.isDue()) await turns.next();
  }
  return { tables, parts, pages };
}

async function inTurns(work: Generator<void>, turns: Turns): Promise<void> {
  for (const _ of work) if (turns.isDue()) await turns.next();
  if (turns.isDue()) await turns.next();
}

async function hasSameParts(
  db: Kysely<Schema>,
  range: PagesRange,
  parts: readonly Part[],
): Promise<boolean> {
  const known = new Set(parts.map(({ kind, step, part }) => `${kind}:${step}:${part}`));
  let found = 0;
  for (const kind of PAGE_KINDS) {
    for (const { step, part } of await listParts(db, { ...range, kind })) {
      if (!known.has(`${kind}:${step}:${part}`)) return false;
      found += 1;
    }
  }
  return found === known.size;
}

/** Parts of one page are joined when there are this many, or when it is settled. */
const MANY_PARTS = 8;

/** Makes one part of a page that has several. True = there may be more to do. */
export async function joiningStep({ backend, tiers, now, inTurn }: Compaction): Promise<boolean> {
  const { reader } = backend;
  for (const { id: targetId } of await reader.selectFrom('targets').select('id').execute()) {
    for (const { spanMs, from } of await readTierStates(reader, targetId, tiers)) {
      const found = await severalParts(reader, { targetId, spanMs, from, now });
      if (!found) continue;
      const isFinest = spanMs === tiers[0]?.spanMs;
      const range = { targetId, spanMs, from: found.step, to: found.step + spanMs };
      const sum = await addedUp(reader, range, isFinest ? Infinity : KEPT_ONE_BY_ONE);
      await inTurn(() =>
        backend.db.transaction().execute(async (transaction) => {
          await backend.lockDuty(transaction, 'rebuild-pages');
          if (!(await hasSameParts(transaction, range, sum.parts))) return;
          await transaction
            .deleteFrom('pages')
            .where('target_id', '=', targetId)
            .where('span_ms', '=', spanMs)
            .where('step', '=', found.step)
            .where('kind', 'in', [...PAGE_KINDS.keys()])
            .execute();
          await insertPages(
            transaction,
            sum.pages.map((page) => ({ targetId, spanMs, step: found.step, ...page })),
          );
        }),
      );
      return true;
    }
  }
  return false;
}

async function severalParts(
  db: Kysely<Schema>,
  { targetId, spanMs, from, now }: { targetId: number; spanMs: number; from: number; now: number },
): Promise<{ step: number } | undefined> {
  return await db
    .selectFrom('pages')
    .select('step')
    .where('target_id', '=', targetId)
    .where('span_ms', '=', spanMs)
    .where('step', '>=', from)
    .where('kind', 'in', [...PAGE_KINDS.keys()])
    .groupBy(['kind', 'step'])
    .having(({ eb, fn }) =>
      eb.or([
        eb.and([eb(fn.countAll(), '>', 1), eb('step', '<', now - SETTLED_MS)]),
        eb(fn.countAll(), '>', MANY_PARTS),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
}
