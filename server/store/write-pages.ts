import type { Backend } from './backend';
import type { Dictionary } from './dictionary';
import type { BlameRow, Rollup, SeriesName, StepParts, Tier } from './history-contract';
import { keepLockSeries } from './lock-series';
import { insertPages, type NewPage } from './page-rows';
import { StepTables } from './pages/step-tables';
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
  }: { backend: Backend; dictionary: Dictionary; tiers: readonly Tier[] },
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
  const targets: { targetId: number; rows: Row[] }[] = [];
  for (const [target, of] of byTarget) {
    targets.push({ targetId: await dictionary.target(target), rows: of });
  }
  await backend.db.transaction().execute(async (transaction) => {
    await backend.lockDuty(transaction, 'append-pages');
    for (const { targetId, rows: of } of targets) {
      const states = await readTierStates(transaction, targetId, tiers);
      for (const state of states) {
        const pages = pagesOf(targetId, state, of);
        if (!(await insertPages(transaction, pages, part))) return;
        if (state.until === Infinity || pages.length === 0) continue;
        const lockIds = of.flatMap(({ lockId }) => (lockId === 0 ? [] : [lockId]));
        await keepLockSeries(transaction, lockIds, { tiers, ...state });
      }
    }
  });
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
