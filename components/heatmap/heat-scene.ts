import type { Gap } from '@/lib/protocol/target';
import type { CellAt, HeatFrame, HeatRow, RowBlock } from './heat-layout';
import type { Margins } from './heat-sums';
import type { HeatWindow } from './heat-window';

/** Colours and fonts of the page, read from its tokens. */
export interface HeatInk {
  text: string;
  muted: string;
  line: string;
  surface: string;
  hatch: string;
  gap: string;
  accent: string;
  bar: string;
  sans: string;
  mono: string;
}

export interface HeatScene {
  frame: HeatFrame;
  window: HeatWindow;
  rows: readonly HeatRow[];
  blocks: readonly RowBlock[];
  columns: readonly number[];
  stepMs: number;
  /** One pixel per cell (or per block of cells when there are more cells than pixels). */
  bitmap: { canvas: CanvasImageSource; rowFactor: number; columnFactor: number } | null;
  margins: Margins;
  gaps: readonly Gap[];
  ticks: readonly { at: number; label: string }[];
  /** Drawn over the leading part that no watch covers. */
  unknownUntil: { at: number; label: string } | null;
  hover: CellAt | null;
  pinned: CellAt | null;
  /** 0…1 of the plot. */
  selection: { x1: number; y1: number; x2: number; y2: number } | null;
  noNamespace: string;
}

/** Canvas coordinates of a time and of a row boundary. */
export const timeToX = (scene: HeatScene, at: number): number => {
  const { plot } = scene.frame;
  return (
    plot.left + ((at - scene.window.from) / (scene.window.to - scene.window.from)) * plot.width
  );
};

export const rowToY = (scene: HeatScene, row: number): number => {
  const { plot } = scene.frame;
  const { rowFrom, rowTo } = scene.window;
  return plot.top + ((row - rowFrom) / (rowTo - rowFrom)) * plot.height;
};
