import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import type { RollupsQuery, SketchKind } from '@/server/store/history-contract';
import { sketchKinds } from '@/server/store/sums';
import type { HeatGrid } from './heat-grid';
import { lineName, type HeatLine } from './heat-lines';
import { HEAT_QUANTILE } from './heat-measures';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';

export interface HeatQuantiles {
  /** Row after row, NaN = not known. */
  cells: Float64Array;
  /** Which distributions there were. */
  kinds: Set<SketchKind>;
}

/** What is not measured is known only where nothing was to be measured. */
function unmeasured(lines: readonly HeatLine[], columns: number): Float64Array {
  const cells = new Float64Array(lines.length * columns);
  for (const [row, { sums, isOthers }] of lines.entries()) {
    for (let column = 0; column < columns; column++) {
      const isNothing = !isOthers && sums[column] === 0;
      cells[row * columns + column] = isNothing ? 0 : Number.NaN;
    }
  }
  return cells;
}

/**
 * A quantile for each line and column, from distributions that are merged over libraries and kinds. Lines that are
 * others have none: it would be of nobody. Throws INTERNAL for a distribution that nobody wrote.
 */
export async function quantilesOf(
  context: QueryContext,
  {
    lines,
    grid,
    ...query
  }: { lines: readonly HeatLine[]; grid: HeatGrid } & Pick<
    RollupsQuery,
    'level' | 'sketches' | 'namespace' | 'class'
  >,
): Promise<HeatQuantiles> {
  const columns = grid.columns.length;
  const from = grid.columns[0] ?? 0;
  const cells = unmeasured(lines, columns);
  const kinds = new Set<SketchKind>();
  const rows = new Map<string, number>();
  for (const [row, line] of lines.entries()) if (!line.isOthers) rows.set(lineName(line), row);
  if (rows.size === 0) return { cells, kinds };
  const to = from + columns * grid.stepMs;
  const locks = lines.flatMap(({ lock }) => lock ?? []);
  const rollups = await context.history.rollups({
    ...{ ...query, from, to, stepMs: grid.stepMs },
    ...(query.level === 'lock' ? { locks } : {}),
  });
  let column = 0;
  const times = new Map<number, Sketch>();
  const settle = (): void => {
    for (const [row, sketch] of times) {
      cells[row * columns + column] = sketch.quantile(HEAT_QUANTILE) ?? Number.NaN;
    }
    times.clear();
  };
  await inTurns(rollups, (rollup) => {
    const row = rows.get(lineName(rollup));
    if (row === undefined) return;
    const at = Math.floor((rollup.step - from) / grid.stepMs);
    if (at !== column) settle();
    column = at;
    for (const kind of sketchKinds(rollup.sketches)) {
      const bytes = rollup.sketches[kind];
      if (!bytes) continue;
      const sketch = times.get(row) ?? createSketch();
      times.set(row, sketch);
      mergeBytes(bytes, [sketch]);
      kinds.add(kind);
    }
  });
  settle();
  return { cells, kinds };
}
