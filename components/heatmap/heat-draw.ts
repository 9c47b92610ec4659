import type { Gap } from '@/lib/protocol/target';
import type { CellAt, HeatFrame, HeatRow, RowBlock } from './heat-layout';
import { LABEL_ROW_PX, gapSpans } from './heat-layout';
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

type Context = CanvasRenderingContext2D;

const HATCH_PX = 6;

/** Draws the whole heatmap. Costs one scaled image and what is visible around it, never the cells. */
export function drawHeat(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { frame } = scene;
  context.clearRect(0, 0, frame.width, frame.height);
  drawCells(context, scene, ink);
  drawLabels(context, scene, ink);
  drawAxis(context, scene, ink);
  drawMargins(context, scene, ink);
  drawMarks(context, scene, ink);
}

const timeToX = (scene: HeatScene, at: number): number => {
  const { plot } = scene.frame;
  return (
    plot.left + ((at - scene.window.from) / (scene.window.to - scene.window.from)) * plot.width
  );
};

const rowToY = (scene: HeatScene, row: number): number => {
  const { plot } = scene.frame;
  const { rowFrom, rowTo } = scene.window;
  return plot.top + ((row - rowFrom) / (rowTo - rowFrom)) * plot.height;
};

function clipToPlot(context: Context, { plot }: HeatFrame): void {
  context.beginPath();
  context.rect(plot.left, plot.top, plot.width, plot.height);
  context.clip();
}

function hatch(
  context: Context,
  area: { x: number; y: number; width: number; height: number },
  stroke: { colour: string; spacing: number; width: number },
): void {
  context.save();
  context.beginPath();
  context.rect(area.x, area.y, area.width, area.height);
  context.clip();
  context.strokeStyle = stroke.colour;
  context.lineWidth = stroke.width;
  context.beginPath();
  const first = Math.floor((area.x - area.height) / stroke.spacing) * stroke.spacing;
  for (let x = first; x < area.x + area.width; x += stroke.spacing) {
    context.moveTo(x, area.y + area.height);
    context.lineTo(x + area.height, area.y);
  }
  context.stroke();
  context.restore();
}

function drawCells(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { frame, bitmap, columns } = scene;
  const { plot } = frame;
  context.save();
  clipToPlot(context, frame);
  context.fillStyle = ink.surface;
  context.fillRect(plot.left, plot.top, plot.width, plot.height);
  hatch(
    context,
    { x: plot.left, y: plot.top, width: plot.width, height: plot.height },
    { colour: ink.hatch, spacing: HATCH_PX, width: 1 },
  );
  const first = columns[0];
  if (bitmap && first !== undefined) {
    const width = Math.ceil(columns.length / bitmap.columnFactor) * bitmap.columnFactor;
    const height = Math.ceil(scene.rows.length / bitmap.rowFactor) * bitmap.rowFactor;
    const left = timeToX(scene, first);
    const top = rowToY(scene, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(
      bitmap.canvas,
      left,
      top,
      timeToX(scene, first + width * scene.stepMs) - left,
      rowToY(scene, height) - top,
    );
  }
  drawCellGaps(context, scene, ink);
  for (const { from, to } of gapSpans(scene.gaps, scene.window)) {
    const x = timeToX(scene, from);
    const width = Math.max(3, timeToX(scene, to) - x);
    context.fillStyle = ink.surface;
    context.globalAlpha = 0.72;
    context.fillRect(x, plot.top, width, plot.height);
    context.globalAlpha = 1;
    hatch(
      context,
      { x, y: plot.top, width, height: plot.height },
      { colour: ink.gap, spacing: HATCH_PX, width: 1.5 },
    );
  }
  drawUnwatched(context, scene, ink);
  context.restore();
}

/** Thin lines of the surface between cells that are large enough to afford them. */
function drawCellGaps(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { plot } = scene.frame;
  const perRow = plot.height / (scene.window.rowTo - scene.window.rowFrom);
  context.fillStyle = ink.surface;
  if (perRow >= 8) {
    const last = Math.ceil(scene.window.rowTo);
    for (let row = Math.floor(scene.window.rowFrom); row <= last; row++) {
      context.fillRect(plot.left, Math.round(rowToY(scene, row)) - 0.5, plot.width, 1);
    }
  }
  const perColumn = (plot.width * scene.stepMs) / (scene.window.to - scene.window.from);
  if (perColumn >= 10 && perRow >= 8) {
    for (const at of scene.columns) {
      context.fillRect(Math.round(timeToX(scene, at)) - 0.5, plot.top, 1, plot.height);
    }
  }
}

function drawUnwatched(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { unknownUntil, frame } = scene;
  if (!unknownUntil) return;
  const { plot } = frame;
  const right = Math.min(plot.left + plot.width, timeToX(scene, unknownUntil.at));
  context.font = `500 12px ${ink.sans}`;
  const width = context.measureText(unknownUntil.label).width;
  if (right - plot.left < width + 32) return;
  const x = plot.left + (right - plot.left) / 2;
  const y = plot.top + plot.height / 2;
  context.fillStyle = ink.surface;
  context.fillRect(x - width / 2 - 10, y - 12, width + 20, 24);
  context.fillStyle = ink.muted;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(unknownUntil.label, x, y + 0.5);
}

/** Cuts a text in the middle so that it fits: the ends of a class name tell more than its middle. */
function fitText(context: Context, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let low = 1;
  let high = Math.min(text.length, 400);
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    if (context.measureText(cutMiddle(text, keep)).width <= width) low = keep;
    else high = keep - 1;
  }
  return cutMiddle(text, low);
}

function cutMiddle(text: string, keep: number): string {
  const characters = Array.from(text.slice(0, 2000));
  const head = Math.ceil(keep / 2);
  const tail = Math.floor(keep / 2);
  return `${characters.slice(0, head).join('')}…${tail > 0 ? characters.slice(-tail).join('') : ''}`;
}

function drawLabels(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { frame, window, rows } = scene;
  const perRow = frame.plot.height / (window.rowTo - window.rowFrom);
  const right = frame.plot.left - 8;
  context.save();
  context.beginPath();
  context.rect(0, frame.plot.top, frame.plot.left, frame.plot.height);
  context.clip();
  context.textBaseline = 'middle';
  if (perRow >= LABEL_ROW_PX) {
    context.font = `${Math.min(12, perRow - 1)}px ${ink.mono}`;
    context.textAlign = 'right';
    const marked = scene.hover ?? scene.pinned;
    const last = Math.min(rows.length, Math.ceil(window.rowTo));
    for (let row = Math.max(0, Math.floor(window.rowFrom)); row < last; row++) {
      context.fillStyle = marked?.row === row ? ink.text : ink.muted;
      const label = rows[row]?.label ?? '';
      const y = (rowToY(scene, row) + rowToY(scene, row + 1)) / 2;
      context.fillText(fitText(context, label, right - frame.blockWidth - 10), right, y);
    }
  }
  drawBlocks(context, scene, { ink, wide: perRow < LABEL_ROW_PX });
  context.restore();
}

function drawBlocks(
  context: Context,
  scene: HeatScene,
  { ink, wide }: { ink: HeatInk; wide: boolean },
): void {
  const { frame } = scene;
  if (frame.blockWidth === 0 && !wide) return;
  const width = wide ? frame.plot.left - 16 : frame.blockWidth - 12;
  context.font = `600 11px ${ink.sans}`;
  context.textAlign = 'left';
  for (const block of scene.blocks) {
    const top = Math.max(frame.plot.top, rowToY(scene, block.from));
    const bottom = Math.min(frame.plot.top + frame.plot.height, rowToY(scene, block.to));
    if (bottom - top < 2) continue;
    context.fillStyle = ink.line;
    if (block.from > 0)
      context.fillRect(0, Math.round(rowToY(scene, block.from)) - 0.5, frame.plot.left, 1);
    if (bottom - top < LABEL_ROW_PX) continue;
    context.fillStyle = ink.text;
    const label = fitText(context, block.label === '' ? scene.noNamespace : block.label, width);
    context.fillText(label, 2, Math.min((top + bottom) / 2, top + 14));
  }
}

function drawAxis(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { plot } = scene.frame;
  const bottom = plot.top + plot.height;
  context.fillStyle = ink.line;
  context.fillRect(plot.left, bottom, plot.width, 1);
  context.font = `11px ${ink.sans}`;
  context.textBaseline = 'top';
  context.textAlign = 'center';
  for (const tick of scene.ticks) {
    const x = timeToX(scene, tick.at);
    if (x < plot.left || x > plot.left + plot.width) continue;
    context.fillStyle = ink.line;
    context.fillRect(Math.round(x), bottom, 1, 5);
    const half = context.measureText(tick.label).width / 2;
    if (x + half > scene.frame.width) continue;
    context.fillStyle = ink.muted;
    context.fillText(tick.label, x, bottom + 8);
  }
}

function drawMargins(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { frame, margins, columns, window } = scene;
  const { plot } = frame;
  const first = columns.findIndex((at) => at + scene.stepMs > window.from);
  const highestColumn = Math.max(0, ...margins.byColumn.map((sum) => sum ?? 0));
  const room = plot.top - 8;
  context.fillStyle = ink.line;
  context.fillRect(plot.left, plot.top - 4, plot.width, 1);
  margins.byColumn.forEach((sum, index) => {
    const at = columns[first + index];
    if (sum === null || at === undefined || highestColumn === 0) return;
    const left = Math.max(plot.left, timeToX(scene, at));
    const right = Math.min(plot.left + plot.width, timeToX(scene, at + scene.stepMs));
    const height = (sum / highestColumn) * (room - 4);
    const gap = right - left > 4 ? 1 : 0;
    context.fillStyle = scene.hover?.column === first + index ? ink.accent : ink.bar;
    context.fillRect(left, plot.top - 4 - height, Math.max(0.5, right - left - gap), height);
  });
  if (frame.marginWidth === 0) return;
  const highestRow = Math.max(0, ...margins.byRow.map((sum) => sum ?? 0));
  const firstRow = Math.max(0, Math.floor(window.rowFrom));
  const left = plot.left + plot.width + 8;
  margins.byRow.forEach((sum, index) => {
    if (sum === null || highestRow === 0) return;
    const top = Math.max(plot.top, rowToY(scene, firstRow + index));
    const bottom = Math.min(plot.top + plot.height, rowToY(scene, firstRow + index + 1));
    const gap = bottom - top > 6 ? 2 : 0;
    context.fillStyle = scene.hover?.row === firstRow + index ? ink.accent : ink.bar;
    const width = (sum / highestRow) * (frame.marginWidth - 10);
    context.fillRect(left, top + gap, width, Math.max(0.5, bottom - top - 2 * gap));
  });
}

function drawMarks(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { plot } = scene.frame;
  context.save();
  clipToPlot(context, scene.frame);
  if (scene.pinned)
    outlineCell(context, scene, { cell: scene.pinned, colour: ink.accent, width: 2 });
  if (scene.hover) outlineCell(context, scene, { cell: scene.hover, colour: ink.text, width: 1.5 });
  if (scene.selection) {
    const { x1, x2, y1, y2 } = scene.selection;
    const x = plot.left + Math.min(x1, x2) * plot.width;
    const y = plot.top + Math.min(y1, y2) * plot.height;
    const width = Math.abs(x2 - x1) * plot.width;
    const height = Math.abs(y2 - y1) * plot.height;
    context.fillStyle = ink.accent;
    context.globalAlpha = 0.18;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    context.strokeStyle = ink.accent;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  }
  context.restore();
}

function outlineCell(
  context: Context,
  scene: HeatScene,
  { cell, colour, width }: { cell: CellAt; colour: string; width: number },
): void {
  const at = scene.columns[cell.column];
  if (at === undefined) return;
  const left = timeToX(scene, at);
  const top = rowToY(scene, cell.row);
  const right = Math.max(left + 3, timeToX(scene, at + scene.stepMs));
  const bottom = Math.max(top + 3, rowToY(scene, cell.row + 1));
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(left, top, right - left, bottom - top);
}
