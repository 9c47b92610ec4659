import type { Gap } from '@/lib/protocol/target';
import type { LabelBox } from './heat-labels';
import type { CellAt, HeatFrame } from './heat-layout';
import type { Margins } from './heat-sums';
import type { HeatTexts } from './heat-text';
import type { LabelBlock } from './heat-tree';
import type { HeatWindow } from './heat-window';

/** Colours and fonts of the page, read from its tokens. */
export interface HeatInk {
  text: string;
  muted: string;
  line: string;
  surface: string;
  sunken: string;
  hatch: string;
  gap: string;
  accent: string;
  bar: string;
  sans: string;
  mono: string;
}

/** What the pointer and the keyboard have marked. */
export interface HeatMarks {
  hover: CellAt | null;
  hoverLabel: LabelBlock | null;
  pinned: CellAt | null;
  /** 0…1 of the plot. */
  selection: { x1: number; y1: number; x2: number; y2: number } | null;
}

export const NO_MARKS: HeatMarks = { hover: null, hoverLabel: null, pinned: null, selection: null };

/** A label in its box, with its text. */
export interface DrawnLabel extends LabelBox {
  text: string;
  /** `others` are no name. */
  isRest: boolean;
}

export interface HeatScene extends HeatMarks {
  frame: HeatFrame;
  window: HeatWindow;
  rowCount: number;
  labels: readonly DrawnLabel[];
  columns: readonly number[];
  stepMs: number;
  /** One pixel per cell (or per block of cells when there are more cells than pixels). */
  bitmap: { canvas: CanvasImageSource; rowFactor: number; columnFactor: number } | null;
  /** Cells that are not known, or times without any, may be in sight: only then is there hatching beneath. */
  hasUnknown: boolean;
  margins: Margins;
  /** Of what the map is compared with. */
  earlier: Margins | null;
  /** What the tallest bar above the cells stands for. */
  marginTop: string;
  gaps: readonly Gap[];
  ticks: readonly { at: number; label: string }[];
  /** Drawn over the leading part that no watch covers. */
  unknownUntil: { at: number; label: string } | null;
  /** A moment to mark with a line, epoch ms. */
  marker: { at: number; label: string } | null;
  /** The right edge is the present. */
  isLive: boolean;
  texts: HeatTexts;
}

/** Canvas coordinates of a time and of a row boundary. */
export const timeToX = (scene: Pick<HeatScene, 'frame' | 'window'>, at: number): number => {
  const { plot } = scene.frame;
  return (
    plot.left + ((at - scene.window.from) / (scene.window.to - scene.window.from)) * plot.width
  );
};

export const rowToY = (scene: Pick<HeatScene, 'frame' | 'window'>, row: number): number => {
  const { plot } = scene.frame;
  const { rowFrom, rowTo } = scene.window;
  return plot.top + ((row - rowFrom) / (rowTo - rowFrom)) * plot.height;
};
