import { drawHeat } from '@/components/heatmap/heat-draw';
import { sceneOf } from '@/components/heatmap/heat-frame';
import type { HeatWords } from '@/components/heatmap/heat-frame';
import { layOut } from '@/components/heatmap/heat-layout';
import { legendOf } from '@/components/heatmap/heat-legend-figures';
import type { LegendFigures } from '@/components/heatmap/heat-legend-figures';
import type { HeatColours } from '@/components/heatmap/heat-palette';
import { createPalette } from '@/components/heatmap/heat-palette';
import type { HeatPicture } from '@/components/heatmap/heat-picture';
import { NO_MARKS } from '@/components/heatmap/heat-scene';
import type { HeatInk } from '@/components/heatmap/heat-scene';
import { HeatTexts } from '@/components/heatmap/heat-text';
import type { HeatWindow } from '@/components/heatmap/heat-window';

const WIDTH_PX = 1600;
const MOST_HEIGHT_PX = 1000;
/** Text stays sharp when the picture is scaled. */
const RATIO = 2;
const EDGE_PX = 24;
const TITLE_PX = 64;
const LEGEND_PX = 64;
const BAR = { width: 320, height: 12 };

export interface HeatImage {
  picture: HeatPicture;
  window: HeatWindow;
  colours: HeatColours;
  ink: HeatInk;
  title: string;
  /** Time span, rows, and what else one must know to read the picture. */
  subtitle: string;
  t: HeatWords;
}

/** Draws the map with its labels, legend, title and time span on a canvas of its own. */
export function drawImage(canvas: HTMLCanvasElement, image: HeatImage): void {
  const { picture, colours, ink, window } = image;
  const frame = layOut({
    width: WIDTH_PX - 2 * EDGE_PX,
    maxHeight: MOST_HEIGHT_PX,
    rows: window.rowTo - window.rowFrom,
    depth: picture.tree.length,
  });
  const height = TITLE_PX + frame.height + LEGEND_PX;
  canvas.width = WIDTH_PX * RATIO;
  canvas.height = height * RATIO;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(RATIO, 0, 0, RATIO, 0, 0);
  context.fillStyle = ink.surface;
  context.fillRect(0, 0, WIDTH_PX, height);
  context.setTransform(RATIO, 0, 0, RATIO, EDGE_PX * RATIO, TITLE_PX * RATIO);
  const parts = {
    picture,
    window,
    frame,
    palette: createPalette(colours),
    ratio: RATIO,
    marker: null,
    isLive: false,
    texts: new HeatTexts(),
    t: image.t,
  };
  drawHeat(context, sceneOf(parts, NO_MARKS), ink);
  context.setTransform(RATIO, 0, 0, RATIO, 0, 0);
  drawTitle(context, image);
  const legend = legendOf(picture.data.metric, picture.scale, colours);
  drawLegend(context, legend, { top: TITLE_PX + frame.height + 14, image });
}

function drawTitle(context: CanvasRenderingContext2D, { title, subtitle, ink }: HeatImage): void {
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillStyle = ink.text;
  context.font = `600 18px ${ink.sans}`;
  context.fillText(title, EDGE_PX, 32);
  context.fillStyle = ink.muted;
  context.font = `12px ${ink.sans}`;
  context.fillText(subtitle, EDGE_PX, 52);
}

function drawLegend(
  context: CanvasRenderingContext2D,
  legend: LegendFigures,
  { top, image }: { top: number; image: HeatImage },
): void {
  const { ink, t } = image;
  const zeroWidth = legend.zero ? 16 : 0;
  if (legend.zero) {
    context.fillStyle = legend.zero;
    context.fillRect(EDGE_PX, top, zeroWidth, BAR.height);
  }
  const left = EDGE_PX + zeroWidth;
  const gradient = context.createLinearGradient(left, 0, left + BAR.width, 0);
  legend.colours.forEach((colour, step) =>
    gradient.addColorStop(step / (legend.colours.length - 1), colour),
  );
  context.fillStyle = gradient;
  context.fillRect(left, top, BAR.width, BAR.height);
  context.font = `11px ${ink.sans}`;
  context.fillStyle = ink.muted;
  context.textBaseline = 'top';
  for (const { place, text } of legend.figures) {
    context.textAlign = place < 0.1 ? 'left' : place > 0.9 ? 'right' : 'center';
    context.fillText(text, left + place * BAR.width, top + BAR.height + 4);
  }
  context.textAlign = 'left';
  context.fillText(t('legendHatched'), left + BAR.width + 24, top);
}
