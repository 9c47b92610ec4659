import type { HeatColumn } from '@/server/store/history-contract';
import { byHeat, compareLines, heatOf, type HeatLine } from './heat-lines';
import type { HeatGrid } from './heat-grid';
import type { ShownLines } from './heat-rows';
import { inTurns } from './in-turns';
import { rowsKeptFrom } from './lock-rows';
import type { QueryContext } from './query-context';

/** An owner is looked for among these. */
const OWNERS_READ = 5000;

const OWNER_COLUMNS = ['heldMs', 'acquisitions', 'lost'] as const;
/** What the holds of an owner tell. */
type OwnerColumn = (typeof OWNER_COLUMNS)[number];
const isTold = (column: HeatColumn): column is OwnerColumn =>
  OWNER_COLUMNS.some((told) => told === column);

interface OwnerQuery {
  from: number;
  to: number;
  stepMs: number;
  rows: number;
  namespace?: string | undefined;
  class?: string | undefined;
}

/** Holds by owner and step, of the owners that held longest. */
const piecesOf = ({ store, targetId: target }: QueryContext, query: OwnerQuery) =>
  store.heldPerStep({ by: 'owner', target, ...query });

/** Rows by owner come from history's holds, which know neither waiters nor hand-offs. */
export async function ownerLines(
  context: QueryContext,
  {
    grid,
    column,
    rows: limit,
    ...subject
  }: { grid: HeatGrid; column: HeatColumn; rows: number } & Pick<OwnerQuery, 'namespace' | 'class'>,
): Promise<ShownLines> {
  const { stepMs } = grid;
  const from = grid.columns[0] ?? 0;
  const steps = grid.columns.length;
  const range = { from, to: from + steps * stepMs, stepMs };
  const keptFrom = await rowsKeptFrom(context);
  const keptColumn = Math.min(steps, Math.max(0, Math.ceil((keptFrom - from) / stepMs)));
  const lines = new Map<string, HeatLine>();
  await inTurns(await piecesOf(context, { ...range, ...subject, rows: limit }), (piece) => {
    const { namespace, class: lockClass, label } = piece;
    const name = `${namespace}\n${lockClass}\n${label}`;
    let line = lines.get(name);
    if (!line) {
      line = {
        ...{ namespace, class: lockClass, lock: null, owner: label },
        ...{ isOthers: false, merged: null, heat: 0, isPartial: false },
        sums: new Float64Array(steps).fill(Number.NaN),
      };
      if (isTold(column)) line.sums.fill(0, keptColumn);
      lines.set(name, line);
    }
    const at = Math.round((piece.step - from) / stepMs);
    if (isTold(column)) line.sums[at] = (line.sums[at] ?? 0) + piece[column];
  });
  const all = [...lines.values()];
  for (const line of all) line.heat = heatOf(line.sums);
  const shown = all.toSorted(byHeat).slice(0, limit);
  return { lines: shown.toSorted(compareLines), leftOut: all.length - shown.length };
}

/** One owner's sums of a range; null where they are not kept, or the owner is not among those that held longest. */
export async function ownerColumns(
  context: QueryContext,
  { owner, from, to, ...subject }: { owner: string } & Omit<OwnerQuery, 'stepMs' | 'rows'>,
): Promise<Record<OwnerColumn, number> | null> {
  if (from < (await rowsKeptFrom(context))) return null;
  const pieces = await piecesOf(context, {
    ...{ ...subject, from, to, stepMs: to - from, rows: OWNERS_READ },
  });
  const sums = { heldMs: 0, acquisitions: 0, lost: 0 };
  let isAmongThem = new Set(pieces.map(({ label }) => label)).size < OWNERS_READ;
  for (const piece of pieces) {
    if (piece.label !== owner) continue;
    isAmongThem = true;
    for (const column of OWNER_COLUMNS) sums[column] += piece[column];
  }
  return isAmongThem ? sums : null;
}
