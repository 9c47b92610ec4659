import type { HeatFrame } from './heat-layout';
import { LABEL_ROW_PX } from './heat-layout';
import type { LabelBlock } from './heat-tree';
import type { HeatWindow } from './heat-window';

/** Between a label's text and the edges of its box. */
export const PADDING_PX = 5;
/** Upright text is harder to read: only where a block is at least this high. */
const UPRIGHT_FROM_PX = 44;

export interface LabelBox {
  block: LabelBlock;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Height of a row in the window. */
export const rowPx = ({ plot }: HeatFrame, { rowFrom, rowTo }: HeatWindow): number =>
  plot.height / (rowTo - rowFrom);

/**
 * The labels in sight with their boxes, cut to the plot's height. Rows too low for a text leave their own
 * column to the blocks above them.
 */
export function labelBoxes(
  tree: readonly (readonly LabelBlock[])[],
  frame: HeatFrame,
  window: HeatWindow,
): LabelBox[] {
  const perRow = rowPx(frame, window);
  const { top, height } = frame.plot;
  const yOf = (row: number): number =>
    Math.min(top + height, Math.max(top, top + (row - window.rowFrom) * perRow));
  const shown = perRow < LABEL_ROW_PX && tree.length > 1 ? tree.slice(0, -1) : tree;
  const lefts = frame.labelWidths.map((_, level) =>
    frame.labelWidths.slice(0, level).reduce((sum, each) => sum + each, 0),
  );
  return shown.flatMap((blocks, level) => {
    const left = lefts[level] ?? 0;
    const isLast = level === shown.length - 1;
    const right = isLast ? frame.plot.left : (lefts[level + 1] ?? frame.plot.left);
    return inSight(blocks, window).map((block) => ({
      block,
      left,
      top: yOf(block.from),
      // A row of a shorter path has its name up to the cells.
      width: (block.row ? frame.plot.left : right) - left,
      height: yOf(block.to) - yOf(block.from),
    }));
  });
}

function inSight(
  blocks: readonly LabelBlock[],
  { rowFrom, rowTo }: Pick<HeatWindow, 'rowFrom' | 'rowTo'>,
): LabelBlock[] {
  const seen: LabelBlock[] = [];
  for (const block of blocks) {
    if (block.from >= rowTo) break;
    if (block.to > rowFrom) seen.push(block);
  }
  return seen;
}

/** The label under a point in canvas coordinates. */
export function labelAt(
  boxes: readonly LabelBox[],
  point: { x: number; y: number },
): LabelBlock | null {
  const hit = boxes.find(
    ({ left, top, width, height }) =>
      point.x >= left && point.x < left + width && point.y >= top && point.y < top + height,
  );
  return hit?.block ?? null;
}

/**
 * How a text goes into a box: flat, or upright where the box is high and narrow and the text does not fit
 * across. `room` is the length that the text may have. Null = too low for any text.
 */
export function labelLook(
  box: Pick<LabelBox, 'width' | 'height'>,
  textWidth: number,
): { turn: 'flat' | 'upright'; room: number } | null {
  const across = box.width - 2 * PADDING_PX;
  const along = box.height - 2 * PADDING_PX;
  if (box.height < LABEL_ROW_PX - 0.5) return null;
  const isUpright = textWidth > across && box.height >= UPRIGHT_FROM_PX && along > across;
  if (isUpright) return { turn: 'upright', room: along };
  return across < 12 ? null : { turn: 'flat', room: across };
}
