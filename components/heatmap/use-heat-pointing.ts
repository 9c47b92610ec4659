'use client';

import { useMemo, useState } from 'react';
import type { HeatData } from './heat-data';
import type { CellAt } from './heat-layout';
import type { LabelBlock } from './heat-tree';
import { rowName } from './heat-tree';

/** A pinned cell by what it is, so that it stays the same while live columns move on beneath it. */
interface Pin {
  row: string;
  /** Epoch ms within the cell. */
  at: number;
}

/** What the pointer or the cursor is over, and what is pinned: null = nothing, or no longer among the data. */
export interface HeatPointing {
  hover: CellAt | null;
  setHover: (cell: CellAt | null) => void;
  hoverLabel: LabelBlock | null;
  setHoverLabel: (block: LabelBlock | null) => void;
  pinned: CellAt | null;
  pin: (cell: CellAt | null) => void;
}

export function useHeatPointing(data: HeatData): HeatPointing {
  const [hover, setHover] = useState<CellAt | null>(null);
  const [hoverLabel, setHoverLabel] = useState<LabelBlock | null>(null);
  const [pinned, setPinned] = useState<Pin | null>(null);
  const pinnedCell = useMemo(() => pinned && cellOf(data, pinned), [data, pinned]);
  const pin = (cell: CellAt | null) => {
    const row = cell && data.rows[cell.row];
    const at = cell && data.columns[cell.column];
    setPinned(
      row && typeof at === 'number' ? { row: rowName(row), at: at + data.stepMs / 2 } : null,
    );
  };
  return { hover, setHover, hoverLabel, setHoverLabel, pinned: pinnedCell, pin };
}

function cellOf({ rows, columns, stepMs }: HeatData, { row: name, at }: Pin): CellAt | null {
  const row = rows.findIndex((each) => rowName(each) === name);
  const first = columns[0];
  if (row < 0 || first === undefined) return null;
  const column = Math.floor((at - first) / stepMs);
  return column >= 0 && column < columns.length ? { row, column } : null;
}
