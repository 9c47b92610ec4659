'use client';

import { useMemo, useState } from 'react';
import type { HeatData } from './heat-data';
import type { CellAt } from './heat-layout';
import { rowName } from './heat-tree';

/** A pinned cell by what it is, so that it stays the same while live columns move on beneath it. */
interface Pin {
  row: string;
  /** Epoch ms within the cell. */
  at: number;
}

/** The pinned cell as the data now have it; null = none, or no longer among them. */
export function useHeatPin(data: HeatData) {
  const [pin, setPin] = useState<Pin | null>(null);
  const pinned = useMemo(() => pin && cellOf(data, pin), [data, pin]);
  const place = (cell: CellAt | null) => {
    const row = cell && data.rows[cell.row];
    const at = cell && data.columns[cell.column];
    setPin(row && typeof at === 'number' ? { row: rowName(row), at: at + data.stepMs / 2 } : null);
  };
  return { pinned, pin: place };
}

function cellOf({ rows, columns, stepMs }: HeatData, { row: name, at }: Pin): CellAt | null {
  const row = rows.findIndex((each) => rowName(each) === name);
  const first = columns[0];
  if (row < 0 || first === undefined) return null;
  const column = Math.floor((at - first) / stepMs);
  return column >= 0 && column < columns.length ? { row, column } : null;
}
