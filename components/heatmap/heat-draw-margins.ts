import { rowPx } from './heat-labels';
import type { HeatInk, HeatScene } from './heat-scene';
import { rowToY, timeToX } from './heat-scene';

type Context = CanvasRenderingContext2D;

/** Sums of what is in sight: above the cells by time, at their right by row. A line shows the earlier sum. */
export function drawMargins(context: Context, scene: HeatScene, ink: HeatInk): void {
  drawTopMargin(context, scene, ink);
  if (scene.frame.marginWidth > 0) drawSideMargin(context, scene, ink);
}

type Line = readonly (number | null)[];

const highestOf = (...lines: (Line | undefined)[]): number =>
  Math.max(
    0,
    ...lines.map((line = []) => line.reduce<number>((top, sum) => Math.max(top, sum ?? 0), 0)),
  );

function drawTopMargin(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { margins, earlier, columns, window } = scene;
  const { plot } = scene.frame;
  const base = plot.top - 4;
  const room = plot.top - 12;
  context.fillStyle = ink.line;
  context.fillRect(plot.left, base, plot.width, 1);
  const highest = highestOf(margins.byColumn, earlier?.byColumn);
  if (highest === 0) return;
  context.font = `10px ${ink.sans}`;
  context.textAlign = 'right';
  context.textBaseline = 'top';
  context.fillStyle = ink.muted;
  context.fillText(scene.texts.fit(context, scene.marginTop, plot.left - 12), plot.left - 8, 6);
  const first = Math.max(
    0,
    columns.findIndex((at) => at + scene.stepMs > window.from),
  );
  const place = (index: number): { left: number; width: number } | null => {
    const at = columns[first + index];
    if (at === undefined) return null;
    // On whole pixels: bars that share one would be drawn darker there.
    const left = Math.round(Math.max(plot.left, timeToX(scene, at)));
    const end = Math.min(plot.left + plot.width, timeToX(scene, at + scene.stepMs));
    const width = Math.round(end) - left;
    return { left, width: Math.max(1, width - (width > 4 ? 1 : 0)) };
  };
  margins.byColumn.forEach((sum, index) => {
    const spot = place(index);
    if (sum === null || !spot) return;
    const height = (sum / highest) * room;
    context.fillStyle = scene.hover?.column === first + index ? ink.accent : ink.bar;
    context.fillRect(spot.left, base - height, spot.width, height);
  });
  context.fillStyle = ink.muted;
  earlier?.byColumn.forEach((sum, index) => {
    const spot = place(index);
    if (sum !== null && spot)
      context.fillRect(spot.left, base - (sum / highest) * room - 1, spot.width, 1.5);
  });
}

function drawSideMargin(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { margins, earlier, hover, frame } = scene;
  const highest = highestOf(margins.byRow, earlier?.byRow);
  if (highest === 0) return;
  const left = frame.plot.left + frame.plot.width + 8;
  const room = frame.marginWidth - 10;
  context.fillStyle = ink.bar;
  eachBar(margins.byRow, scene, (sum, top, height) =>
    context.fillRect(left, top, (sum / highest) * room, height),
  );
  context.fillStyle = ink.muted;
  eachBar(earlier?.byRow ?? [], scene, (sum, top, height) =>
    context.fillRect(left + (sum / highest) * room - 1, top, 1.5, height),
  );
  const hovered = hover && margins.byRow[hover.row - firstRow(scene)];
  if (!hover || hovered === null || hovered === undefined) return;
  const { top, height } = barOf(hover.row, scene);
  context.fillStyle = ink.accent;
  context.fillRect(left, top, (hovered / highest) * room, Math.max(1, height));
}

const firstRow = ({ window }: HeatScene): number => Math.max(0, Math.floor(window.rowFrom));

function barOf(row: number, scene: HeatScene): { top: number; height: number } {
  const { plot } = scene.frame;
  const top = Math.max(plot.top, rowToY(scene, row));
  const bottom = Math.min(plot.top + plot.height, rowToY(scene, row + 1));
  const gap = bottom - top > 6 ? 2 : 0;
  return { top: top + gap, height: bottom - top - 2 * gap };
}

/** Thousands of rows share a few hundred lines of pixels: of each line only the longest bar is drawn. */
function eachBar(
  sums: Line,
  scene: HeatScene,
  draw: (sum: number, top: number, height: number) => void,
): void {
  const first = firstRow(scene);
  if (rowPx(scene.frame, scene.window) >= 1) {
    sums.forEach((sum, index) => {
      if (sum === null) return;
      const { top, height } = barOf(first + index, scene);
      draw(sum, top, height);
    });
    return;
  }
  const { plot } = scene.frame;
  const longest = new Float64Array(Math.ceil(plot.height) + 1).fill(Number.NaN);
  sums.forEach((sum, index) => {
    const line = Math.max(0, Math.floor(rowToY(scene, first + index) - plot.top));
    if (sum !== null && !((longest[line] ?? 0) >= sum)) longest[line] = sum;
  });
  longest.forEach((sum, line) => !Number.isNaN(sum) && draw(sum, plot.top + line, 1));
}
