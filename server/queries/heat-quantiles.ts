import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import type { Rollup, RollupsQuery, SketchKind } from '@/server/store/history-contract';
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

/** Cells that are read at once: each is an object with its distributions. */
const CELLS_AT_ONCE = 200_000;

/** What is not measured is known only where nothing was to be measured. */
async function unmeasured(lines: readonly HeatLine[], columns: number): Promise<Float64Array> {
  const cells = new Float64Array(lines.length * columns);
  await inTurns(lines.entries(), ([row, { sums, isOthers }]) => {
    for (let column = 0; column < columns; column++) {
      const isNothing = !isOthers && sums[column] === 0;
      cells[row * columns + column] = isNothing ? 0 : Number.NaN;
    }
  });
  return cells;
}

/** The rows that have distributions, by name. What is left over of others has none: it would be of nobody. */
function measurable(lines: readonly HeatLine[]): Map<string, number> {
  const rows = new Map<string, number>();
  for (const [row, line] of lines.entries()) if (!line.isOthers) rows.set(lineName(line), row);
  return rows;
}

interface Measuring {
  lines: readonly HeatLine[];
  grid: HeatGrid;
  query: Pick<RollupsQuery, 'level' | 'sketches' | 'namespace' | 'class'>;
}

/**
 * A quantile for each line and column, from distributions that are merged over libraries and kinds. Throws INTERNAL for
 * a distribution that nobody wrote.
 */
export async function quantilesOf(
  context: QueryContext,
  { lines, grid, query }: Measuring,
): Promise<HeatQuantiles> {
  const columns = grid.columns.length;
  const quantiles = { cells: await unmeasured(lines, columns), kinds: new Set<SketchKind>() };
  const rows = measurable(lines);
  if (rows.size === 0) return quantiles;
  const locks = lines.flatMap(({ lock }) => lock ?? []);
  const subject = query.level === 'lock' ? { ...query, locks } : query;
  const atOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / rows.size));
  for (let first = 0; first < columns; first += atOnce) {
    const from = grid.columns[first] ?? 0;
    const to = from + Math.min(atOnce, columns - first) * grid.stepMs;
    const rollups = await context.history.rollups({ ...subject, from, to, stepMs: grid.stepMs });
    await addQuantiles(quantiles, rollups, (rollup) => {
      const row = rows.get(lineName(rollup));
      const column = first + Math.floor((rollup.step - from) / grid.stepMs);
      // A step longer than a column, where history was cut, may begin before the map.
      return row === undefined || column < 0 ? null : row * columns + column;
    });
  }
  return quantiles;
}

/** Rollups that are oldest first, step by step. */
function* stepsOf(rollups: readonly Rollup[]): Generator<readonly Rollup[]> {
  let from = 0;
  for (const [at, { step }] of rollups.entries()) {
    if (step === rollups[from]?.step) continue;
    yield rollups.slice(from, at);
    from = at;
  }
  yield rollups.slice(from);
}

/** The distributions of one column at a time are in memory. */
async function addQuantiles(
  { cells, kinds }: HeatQuantiles,
  rollups: readonly Rollup[],
  cellOf: (rollup: Rollup) => number | null,
): Promise<void> {
  for (const ofStep of stepsOf(rollups)) {
    const times = new Map<number, Sketch>();
    await inTurns(ofStep, (rollup) => {
      const cell = cellOf(rollup);
      if (cell === null) return;
      for (const kind of sketchKinds(rollup.sketches)) {
        const bytes = rollup.sketches[kind];
        if (!bytes) continue;
        const sketch = times.get(cell) ?? createSketch();
        times.set(cell, sketch);
        mergeBytes(bytes, [sketch]);
        kinds.add(kind);
      }
    });
    await inTurns(times, ([cell, sketch]) => {
      cells[cell] = sketch.quantile(HEAT_QUANTILE) ?? Number.NaN;
    });
  }
}
