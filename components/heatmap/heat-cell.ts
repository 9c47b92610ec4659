import type { Heatmap } from '@/lib/protocol/measures';
import type { GapReason } from '@/lib/protocol/target';
import type { CellAt } from './heat-layout';

export type WhyUnknown =
  | { kind: 'gap'; reason: GapReason }
  | { kind: 'notWatched' | 'waiters' | 'handoff' | 'other' };

export interface CellFacts {
  path: readonly string[];
  label: string;
  from: number;
  to: number;
  value: number | null;
  /** Why nothing is known; null when something is. */
  why: WhyUnknown | null;
}

/**
 * All there is to say about one cell; null when it lies outside the data. `known`: the time before which
 * nothing was watched, as `knownFrom` finds it.
 */
export function cellFacts(
  data: Heatmap,
  { row, column }: CellAt,
  known: number | null,
): CellFacts | null {
  const about = data.rows[row];
  const from = data.columns[column];
  if (!about || from === undefined) return null;
  const to = from + data.stepMs;
  const value = data.values[row]?.[column] ?? null;
  return {
    path: about.path,
    label: about.label,
    from,
    to,
    value,
    why: value === null ? whyUnknown(data, { from, to, known }) : null,
  };
}

function whyUnknown(
  data: Heatmap,
  { from, to, known }: { from: number; to: number; known: number | null },
): WhyUnknown {
  const gap = data.gaps.find((each) => each.from < to && (each.to ?? to) > from);
  if (gap) return { kind: 'gap', reason: gap.reason };
  if (known !== null && to <= known) return { kind: 'notWatched' };
  if (data.metric === 'waiters') return { kind: 'waiters' };
  if (data.metric === 'handoff') return { kind: 'handoff' };
  return { kind: 'other' };
}

export interface RowFacts {
  row: number;
  label: string;
  namespace: string;
  latest: number | null;
  highest: number | null;
  highestAt: number | null;
  average: number | null;
}

/** One line per row of the map, for the table beside it. */
export function rowFacts(data: Heatmap, limit: number): RowFacts[] {
  return data.rows.slice(0, limit).map((about, row) => {
    const values = data.values[row] ?? [];
    let highest: number | null = null;
    let highestAt: number | null = null;
    let sum = 0;
    let known = 0;
    values.forEach((value, column) => {
      if (value === null) return;
      sum += value;
      known++;
      if (highest === null || value > highest) {
        highest = value;
        highestAt = data.columns[column] ?? null;
      }
    });
    return {
      row,
      label: about.label,
      namespace: about.path[0] ?? '',
      latest: values.at(-1) ?? null,
      highest,
      highestAt,
      average: known === 0 ? null : sum / known,
    };
  });
}

/** The cell that an arrow key leads to, kept inside the data. */
export function moveCell(
  cell: CellAt,
  key: string,
  size: { rows: number; columns: number },
): CellAt | null {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-10, 0],
    PageDown: [10, 0],
    Home: [0, -size.columns],
    End: [0, size.columns],
  };
  const step = steps[key];
  if (!step || size.rows === 0 || size.columns === 0) return null;
  return {
    row: Math.min(size.rows - 1, Math.max(0, cell.row + step[0])),
    column: Math.min(size.columns - 1, Math.max(0, cell.column + step[1])),
  };
}
