import type { CellAt, HeatFrame } from './heat-layout';
import type { HeatInk, HeatScene } from './heat-scene';
import { rowToY, timeToX } from './heat-scene';

type Context = CanvasRenderingContext2D;

export function clipToPlot(context: Context, { plot }: HeatFrame): void {
  context.beginPath();
  context.rect(plot.left, plot.top, plot.width, plot.height);
  context.clip();
}

/** A line at the present, or at the moment that the page is about. */
function drawMoment(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { plot } = scene.frame;
  if (scene.isLive) {
    context.fillStyle = ink.accent;
    context.fillRect(plot.left + plot.width - 1, plot.top - 4, 2, plot.height + 4);
  }
  const { marker } = scene;
  if (!marker) return;
  const x = timeToX(scene, marker.at);
  if (x < plot.left || x > plot.left + plot.width) return;
  context.fillStyle = ink.text;
  context.fillRect(Math.min(plot.left + plot.width - 2, x - 1), plot.top - 6, 2, plot.height + 6);
  context.font = `600 11px ${ink.sans}`;
  context.textBaseline = 'bottom';
  const isRight = x > plot.left + plot.width / 2;
  const width = scene.texts.width(context, marker.label);
  const left = isRight ? x - 5 - width : x + 5;
  // The bars above the cells would show through the digits.
  context.fillStyle = ink.surface;
  context.fillRect(left - 3, plot.top - 21, width + 6, 16);
  context.fillStyle = ink.text;
  context.textAlign = 'left';
  context.fillText(marker.label, left, plot.top - 6);
}

function drawHoveredBlock(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { hoverLabel } = scene;
  if (!hoverLabel) return;
  const { plot } = scene.frame;
  context.strokeStyle = ink.accent;
  context.lineWidth = 1;
  const top = rowToY(scene, hoverLabel.from);
  const height = rowToY(scene, hoverLabel.to) - top;
  context.strokeRect(plot.left - 1, top, plot.width + 2, height);
}

/** What is marked on the map: moments, and what the pointer, the pin and a drag point at. */
export function drawMarks(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { plot } = scene.frame;
  drawMoment(context, scene, ink);
  context.save();
  clipToPlot(context, scene.frame);
  drawHoveredBlock(context, scene, ink);
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
