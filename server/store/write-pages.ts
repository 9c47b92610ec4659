import type { Kysely } from 'kysely';
import type { Backend } from './backend';
import { beginNow, beginsAhead } from './clock-ahead';
import type { Dictionary } from './dictionary';
import type { BlameRow, Rollup, SeriesName, StepParts, Tier } from './history-contract';
import { keepLockSeries } from './lock-series';
import { insertPages, type NewPage } from './page-rows';
import { StepTables } from './pages/step-tables';
import type { Schema } from './schema';
import { floorTo, readTierStates, type TierState } from './tier-states';

type Row = { classId: number; lockId: number; step: number } & (
  | { rollup: Rollup }
  | { blame: BlameRow }
);

/**
 * Appends a part to the page of each step, and to those longer ones that have been built of it: nothing is read
 * and written back. A step older than all that is kept is left out. Nothing happens where the same `part` is there:
 * whoever did not hear that it was written may try again. Call one at a time.
 */
export async function writeRollups(
  {
    backend,
    dictionary,
    tiers,
    now,
  }: { backend: Backend; dictionary: Dictionary; tiers: readonly Tier[]; now: () => number },
  { rollups, blame, part }: StepParts,
): Promise<void> {
  if (rollups.length + blame.length === 0) return;
  const numbers = await numbered(dictionary, [...rollups, ...blame]);
  const rows = [
    ...rollups.map((rollup) => ({ ...numbers(rollup), step: rollup.step, rollup })),
    ...blame.map((row) => ({ ...numbers(row), step: row.step, blame: row })),
  ];
  const byTarget = Map.groupBy(rows, (row) =>
    'rollup' in row ? row.rollup.target : row.blame.target,
  );
  const targets: RowsOfTarget[] = [];
  for (const [target, of] of byTarget) {
    targets.push({ targetId: await dictionary.target(target), rows: of });
  }
  for (const ahead of await append({ backend, tiers, now: now() }, targets, part)) {
    await beginNow(backend, { targetId: ahead.targetId, tiers, now: now() });
    await append({ backend, tiers, now: now() }, [ahead], part);
  }
}

interface RowsOfTarget {
  targetId: number;
  rows: Row[];
}

/** In one transaction. Returns those that it leaves out, whose tiers begin in the future. */
async function append(
  { backend, tiers, now }: { backend: Backend; tiers: readonly Tier[]; now: number },
  targets: readonly RowsOfTarget[],
  part: number | undefined,
): Promise<RowsOfTarget[]> {
  return await backend.db.transaction().execute(async (transaction) => {
    await backend.lockDuty(transaction, 'append-pages');
    const ahead: RowsOfTarget[] = [];
    for (const target of targets) {
      const states = await readTierStates(transaction, target.targetId, tiers);
      if (beginsAhead(states, now)) ahead.push(target);
      else await appendTo(transaction, target, { states, tiers, part });
    }
    return ahead;
  });
}

/** Nothing more is added where the part is there already. */
async function appendTo(
  db: Kysely<Schema>,
  { targetId, rows }: RowsOfTarget,
  {
    states,
    tiers,
    part,
  }: { states: readonly TierState[]; tiers: readonly Tier[]; part: number | undefined },
): Promise<void> {
  for (const state of states) {
    const pages = pagesOf(targetId, state, rows);
    if (!(await insertPages(db, pages, part))) return;
    if (state.until === Infinity || pages.length === 0) continue;
    const lockIds = rows.flatMap(({ lockId }) => (lockId === 0 ? [] : [lockId]));
    await keepLockSeries(db, lockIds, { tiers, ...state });
  }
}

async function numbered(dictionary: Dictionary, names: readonly SeriesName[]) {
  const classIds = await dictionary.series(names.map((name) => ({ ...name, lock: null })));
  const single = names.filter(({ lock }) => lock !== null);
  const lockIds = (await dictionary.series(single)).values();
  const ids = new Map<SeriesName, { classId: number; lockId: number }>();
  for (const [i, name] of names.entries()) {
    const lockId = name.lock === null ? 0 : (lockIds.next().value ?? 0);
    ids.set(name, { classId: classIds[i] ?? 0, lockId });
  }
  return (name: SeriesName) => ids.get(name) ?? { classId: 0, lockId: 0 };
}

function pagesOf(targetId: number, state: TierState, rows: readonly Row[]): NewPage[] {
  const { spanMs, from, until } = state;
  const steps = Map.groupBy(rows, ({ step }) => floorTo(step, spanMs));
  return [...steps]
    .filter(([step]) => step >= from && step < until)
    .flatMap(([step, ofStep]) =>
      Array.from(tablesOf(ofStep).encode(), (page) => ({ targetId, spanMs, step, ...page })),
    );
}

function tablesOf(rows: readonly Row[]): StepTables {
  const tables = new StepTables();
  for (const { classId, lockId, ...row } of rows) {
    if ('rollup' in row) {
      tables.addRollup(row.rollup, { classId, lockId });
    } else {
      const { cause, owner, waiterMs } = row.blame;
      tables.addBlame({ classId, lockId, cause, owner, waiterMs });
    }
  }
  return tables;
}
