import { LABEL_ROW_PX } from './heat-layout';
import type { HeatInk, HeatScene } from './heat-scene';
import { rowToY, timeToX } from './heat-scene';

type Context = CanvasRenderingContext2D;

/** What stands around the cells: names at the left, times below, sums above and at the right. */
export function drawRim(context: Context, scene: HeatScene, ink: HeatInk): void {
  drawLabels(context, scene, ink);
  drawAxis(context, scene, ink);
  drawMargins(context, scene, ink);
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
