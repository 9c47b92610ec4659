import type { KeyboardEvent } from 'react';
import { moveCell } from './heat-cell';
import type { CellAt } from './heat-layout';

const ZOOM_STEP = 0.6;

interface Acts {
  /** The cell with the cursor; null = none yet. */
  cursor: CellAt | null;
  move: (cell: CellAt) => void;
  /** Whether there is a pin to take out. */
  isPinned: boolean;
  /** Null takes the pin out. */
  pin: (cell: CellAt | null) => void;
  back: () => void;
  reset: () => void;
  /** Below 1 shows less time. */
  zoom: (factor: number) => void;
}

/** What the keys do on the map: arrows move the cursor, from the newest cell of the first row at first. */
export function heatKeys(
  grid: { rows: number; columns: readonly number[] },
  acts: Acts,
): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cursor = acts.cursor ?? { row: 0, column: grid.columns.length - 1 };
    const size = { rows: grid.rows, columns: grid.columns.length };
    const moved = moveCell(cursor, event.key, size);
    const act = moved ? () => acts.move(moved) : actOf(event.key, cursor, acts);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function actOf(key: string, cursor: CellAt, acts: Acts): (() => void) | null {
  switch (key) {
    case 'Enter':
    case ' ':
      return () => acts.pin(cursor);
    case 'Escape':
      return acts.isPinned ? () => acts.pin(null) : null;
    case 'Backspace':
      return acts.back;
    case 'r':
    case 'R':
      return acts.reset;
    case '+':
    case '=':
      return () => acts.zoom(ZOOM_STEP);
    case '-':
      return () => acts.zoom(1 / ZOOM_STEP);
    default:
      return null;
  }
}
