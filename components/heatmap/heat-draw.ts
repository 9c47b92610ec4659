import { drawRim } from './heat-draw-rim';
import { clipToPlot, drawMarks } from './heat-draw-marks';
import { gapSpans } from './heat-layout';
import type { HeatInk, HeatScene } from './heat-scene';
import { rowToY, timeToX } from './heat-scene';

type Context = CanvasRenderingContext2D;

const HATCH_PX = 6;

/** Draws the whole heatmap. Costs one scaled image and what is visible around it, never the cells. */
export function drawHeat(context: Context, scene: HeatScene, ink: HeatInk): void {
  const { frame } = scene;
  context.fillStyle = ink.surface;
  context.fillRect(0, 0, frame.width, frame.height);
  drawCells(context, scene, ink);
  drawRim(context, scene, ink);
  drawMarks(context, scene, ink);
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
  if (scene.hasUnknown) {
    const area = { x: plot.left, y: plot.top, width: plot.width, height: plot.height };
    hatch(context, area, { colour: ink.hatch, spacing: HATCH_PX, width: 1 });
  }
  const first = columns[0];
  if (bitmap && first !== undefined) {
    const width = Math.ceil(columns.length / bitmap.columnFactor) * bitmap.columnFactor;
    const height = Math.ceil(scene.rowCount / bitmap.rowFactor) * bitmap.rowFactor;
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
