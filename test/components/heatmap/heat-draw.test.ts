import { beforeEach, describe, expect, it } from 'vitest';
import { sampleHeatmap } from '@/components/gallery/heat';
import { drawHeat } from '@/components/heatmap/heat-draw';
import { heatData } from '@/components/heatmap/heat-data';
import { labelBoxes } from '@/components/heatmap/heat-labels';
import { layOut } from '@/components/heatmap/heat-layout';
import type { HeatInk, HeatScene } from '@/components/heatmap/heat-scene';
import { NO_MARKS } from '@/components/heatmap/heat-scene';
import { createMargins } from '@/components/heatmap/heat-sums';
import { HeatTexts } from '@/components/heatmap/heat-text';
import { labelTree } from '@/components/heatmap/heat-tree';

const INK: HeatInk = {
  text: 'text',
  muted: 'muted',
  line: 'line',
  surface: 'surface',
  sunken: 'sunken',
  hatch: 'hatch',
  gap: 'gap',
  accent: 'accent',
  bar: 'bar',
  sans: 'sans',
  mono: 'mono',
};

/** What was drawn: each call with the colour and font that held then. */
interface Drawn {
  call: string;
  args: unknown[];
  fill: string;
  stroke: string;
  font: string;
}

/** A drawing context that writes down what it is told. */
function recorder(): { context: CanvasRenderingContext2D; drawn: Drawn[] } {
  const drawn: Drawn[] = [];
  const state: Record<string, unknown> = { fillStyle: '', strokeStyle: '', font: '' };
  const context = new Proxy(state, {
    get: (_, name) => {
      if (name === 'measureText') return (text: string) => ({ width: text.length * 6 });
      if (typeof name !== 'string' || name in state) return state[String(name)];
      return (...args: unknown[]) => {
        const { fillStyle, strokeStyle, font } = state;
        drawn.push({
          call: name,
          args,
          fill: String(fillStyle),
          stroke: String(strokeStyle),
          font: String(font),
        });
      };
    },
  });
  return { context: asContext(context), drawn };
}

/** Only what the drawing calls is there; a call of anything else is written down as well. */
const asContext = (context: unknown): CanvasRenderingContext2D =>
  context as CanvasRenderingContext2D;

function scene(more: Partial<HeatScene> = {}): HeatScene {
  const data = heatData(sampleHeatmap({ now: 1e12, rows: 16, columns: 30, group: 'lock' }));
  const tree = labelTree(data.rows);
  const rows = data.rows.length;
  const frame = layOut({ width: 1000, maxHeight: 600, rows, depth: tree.length });
  const from = data.columns[0] ?? 0;
  const window = { from, to: from + 30 * data.stepMs, rowFrom: 0, rowTo: rows };
  return {
    ...NO_MARKS,
    frame,
    window,
    rowCount: rows,
    labels: labelBoxes(tree, frame, window).map((box) => ({
      ...box,
      text: box.block.path.at(-1) ?? '',
      isRest: false,
    })),
    columns: data.columns,
    stepMs: data.stepMs,
    bitmap: null,
    hasUnknown: false,
    margins: createMargins(data.grid, 'sum').visible({
      rowFrom: 0,
      rowTo: rows,
      columnFrom: 0,
      columnTo: 30,
    }),
    earlier: null,
    marginTop: '42%',
    gaps: [],
    ticks: [],
    unknownUntil: null,
    marker: null,
    isLive: false,
    texts: new HeatTexts(),
    ...more,
  };
}

describe('the drawing of the map', () => {
  let context: CanvasRenderingContext2D;
  let drawn: Drawn[];
  beforeEach(() => ({ context, drawn } = recorder()));

  const texts = () => drawn.filter(({ call }) => call === 'fillText').map(({ args }) => args[0]);

  it('writes each namespace and class once, and every lock that has room', () => {
    drawHeat(context, scene(), INK);
    const written = texts();
    expect(written.filter((text) => text === 'stock')).toHaveLength(1);
    expect(written.filter((text) => text === 'stock:sku:*')).toHaveLength(1);
    expect(written).toContain('stock:sku:10004');
  });

  it('turns a text where its block is high and narrow', () => {
    drawHeat(context, scene(), INK);
    expect(drawn.some(({ call }) => call === 'rotate')).toBe(false);
    const narrow = scene();
    const frame = { ...narrow.frame, labelWidths: [20, 110, 140] };
    const labels = narrow.labels.map((label) => ({
      ...label,
      ...(label.block.level === 0 && { width: 20, height: 120 }),
    }));
    drawHeat(context, { ...narrow, frame, labels }, INK);
    expect(drawn.filter(({ call }) => call === 'rotate').length).toBeGreaterThan(0);
  });

  it('sets off the row and the column under the pointer', () => {
    drawHeat(context, scene({ hover: { row: 2, column: 3 } }), INK);
    const bars = drawn.filter(({ call, fill }) => call === 'fillRect' && fill === 'accent');
    expect(bars).toHaveLength(2);
    const bold = drawn.filter(({ call, fill }) => call === 'fillText' && fill === 'text');
    expect(bold.map(({ args }) => args[0])).toContain(
      scene().labels.find((l) => l.block.row && l.block.from === 2)?.text,
    );
  });

  it('writes what is added up in italics', () => {
    const usual = scene();
    const labels = usual.labels.map((label) => ({ ...label, isRest: label.block.from === 1 }));
    drawHeat(context, { ...usual, labels }, INK);
    const italic = drawn.filter(({ call, font }) => call === 'fillText' && font.includes('italic'));
    expect(italic.length).toBeGreaterThan(0);
  });

  it('hatches what is not known, gaps in a colour of their own, and nothing that is known', () => {
    const strokes = () =>
      new Set(drawn.filter(({ call }) => call === 'stroke').map((d) => d.stroke));
    drawHeat(context, scene(), INK);
    expect(strokes()).toEqual(new Set());
    drawHeat(context, scene({ hasUnknown: true }), INK);
    expect(strokes()).toEqual(new Set(['hatch']));
    const { window } = scene();
    const gap = { from: window.from, to: window.from + 50_000, reason: 'buffer-cut' as const };
    drawHeat(context, scene({ gaps: [gap] }), INK);
    expect(strokes()).toEqual(new Set(['hatch', 'gap']));
  });

  it('marks the present, and the moment of the past that the page is about', () => {
    const { window } = scene();
    drawHeat(context, scene({ isLive: true }), INK);
    expect(drawn.filter(({ call, fill }) => call === 'fillRect' && fill === 'accent')).toHaveLength(
      1,
    );
    drawHeat(context, scene({ marker: { at: window.from + 5000, label: '14:03:07' } }), INK);
    expect(texts()).toContain('14:03:07');
  });

  it('draws thousands of rows in as many bars as there are lines of pixels', () => {
    const usual = scene();
    const byRow = Array.from({ length: 5000 }, (_, row) => (row === 4321 ? 100 : 1));
    const dense = { ...usual, window: { ...usual.window, rowTo: 5000 }, rowCount: 5000 };
    drawHeat(context, { ...dense, labels: [], margins: { ...usual.margins, byRow } }, INK);
    const right = usual.frame.plot.left + usual.frame.plot.width;
    const bars = drawn.filter(
      ({ call, args, fill }) => call === 'fillRect' && fill === 'bar' && Number(args[0]) > right,
    );
    expect(bars.length).toBeLessThanOrEqual(usual.frame.plot.height + 1);
    const longest = Math.max(...bars.map(({ args }) => Number(args[2])));
    expect(bars.filter(({ args }) => Number(args[2]) === longest)).toHaveLength(1);
  });
});
