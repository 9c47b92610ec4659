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
  const { margins, earlier, window, frame } = scene;
  const { plot } = frame;
  const highest = highestOf(margins.byRow, earlier?.byRow);
  if (highest === 0) return;
  const firstRow = Math.max(0, Math.floor(window.rowFrom));
  const left = plot.left + plot.width + 8;
  const room = frame.marginWidth - 10;
  const place = (index: number): { top: number; height: number } => {
    const top = Math.max(plot.top, rowToY(scene, firstRow + index));
    const bottom = Math.min(plot.top + plot.height, rowToY(scene, firstRow + index + 1));
    const gap = bottom - top > 6 ? 2 : 0;
    return { top: top + gap, height: Math.max(0.5, bottom - top - 2 * gap) };
  };
  context.fillStyle = ink.bar;
  for (const bar of longestPerPixel(margins.byRow, place)) {
    context.fillRect(left, bar.top, (bar.sum / highest) * room, bar.height);
  }
  context.fillStyle = ink.muted;
  for (const bar of longestPerPixel(earlier?.byRow ?? [], place)) {
    context.fillRect(left + (bar.sum / highest) * room - 1, bar.top, 1.5, bar.height);
  }
  const hovered = scene.hover && margins.byRow[scene.hover.row - firstRow];
  if (!scene.hover || hovered === null || hovered === undefined) return;
  const bar = place(scene.hover.row - firstRow);
  context.fillStyle = ink.accent;
  context.fillRect(left, bar.top, (hovered / highest) * room, Math.max(1, bar.height));
}

/** Thousands of rows share a few hundred lines of pixels: of each line only the longest bar is drawn. */
function longestPerPixel(
  sums: Line,
  place: (index: number) => { top: number; height: number },
): { top: number; height: number; sum: number }[] {
  const bars = new Map<number, { top: number; height: number; sum: number }>();
  sums.forEach((sum, index) => {
    if (sum === null) return;
    const { top, height } = place(index);
    const line = height >= 1 ? index + 1e6 : Math.floor(top);
    const before = bars.get(line);
    if (!before || before.sum < sum)
      bars.set(line, { top: height >= 1 ? top : line, height: Math.max(1, height), sum });
  });
  return [...bars.values()];
}
