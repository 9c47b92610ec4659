import { drawLabels } from './heat-draw-labels';
import { drawMargins } from './heat-draw-margins';
import type { HeatInk, HeatScene } from './heat-scene';
import { timeToX } from './heat-scene';

type Context = CanvasRenderingContext2D;

/** What stands around the cells: names at the left, times below, sums above and at the right. */
export function drawRim(context: Context, scene: HeatScene, ink: HeatInk): void {
  drawLabels(context, scene, ink);
  drawAxis(context, scene, ink);
  drawMargins(context, scene, ink);
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
