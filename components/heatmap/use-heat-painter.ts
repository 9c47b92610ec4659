'use client';

import { useMemo } from 'react';
import type { useTranslations } from 'use-intl';
import type { Heatmap } from '@/lib/protocol/measures';
import { HeatBitmaps } from './heat-bitmap';
import { drawHeat } from './heat-draw';
import { tickLabel, timeLabel, zoneOffset } from './heat-format';
import { rowBlocks, timeTicks } from './heat-layout';
import { createPalette } from './heat-palette';
import { coarseFactor, toLevels } from './heat-raster';
import { createMargins, marginKind } from './heat-sums';
import type { HeatScene } from './heat-scene';
import type { HeatWindow } from './heat-window';
import type { HeatLook } from './use-heat-ink';

interface PainterParts {
  data: Heatmap;
  window: HeatScene['window'];
  frame: HeatScene['frame'];
  top: number;
  brightness: number;
  look: HeatLook | null;
  /** Before it nothing was watched, epoch ms. */
  known: number | null;
  t: ReturnType<typeof useTranslations<'heatmap'>>;
}

type Marks = Pick<HeatScene, 'hover' | 'pinned' | 'selection'>;

/** Keeps the expensive parts (levels, prefix sums, palette) between frames; a frame only scales and draws. */
export function useHeatPainter({
  data,
  window,
  frame,
  top,
  brightness,
  look,
  known,
  t,
}: PainterParts) {
  const theme = look?.theme ?? 'light';
  const palette = useMemo(() => createPalette(theme, brightness), [theme, brightness]);
  const bitmaps = useMemo(
    () => new HeatBitmaps(toLevels(data.values, data.columns.length, top)),
    [data.values, data.columns.length, top],
  );
  const margins = useMemo(
    () => createMargins(data.values, data.columns.length, marginKind(data.metric)),
    [data.values, data.columns.length, data.metric],
  );
  const blocks = useMemo(() => rowBlocks(data.rows), [data.rows]);
  const { from, to, rowFrom, rowTo } = window;

  return useMemo(
    () => (element: HTMLCanvasElement, marks: Marks) => {
      const context = element.getContext('2d');
      if (!context || !look) return;
      const ratio = globalThis.devicePixelRatio || 1;
      if (element.width !== frame.width * ratio || element.height !== frame.height * ratio) {
        element.width = frame.width * ratio;
        element.height = frame.height * ratio;
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const first = data.columns[0] ?? from;
      const columnFrom = Math.max(0, Math.floor((from - first) / data.stepMs));
      const columnTo = Math.min(data.columns.length, Math.ceil((to - first) / data.stepMs));
      const factors = {
        row: coarseFactor(rowTo - rowFrom, frame.plot.height * ratio),
        column: coarseFactor((to - from) / data.stepMs, frame.plot.width * ratio),
      };
      const cells = bitmaps.canvas(factors, palette);
      const scene: HeatScene = {
        ...marks,
        frame,
        window: { from, to, rowFrom, rowTo },
        rows: data.rows,
        blocks,
        columns: data.columns,
        stepMs: data.stepMs,
        bitmap: cells && { canvas: cells, rowFactor: factors.row, columnFactor: factors.column },
        margins: margins.visible({
          rowFrom: Math.floor(rowFrom),
          rowTo: Math.min(data.rows.length, Math.ceil(rowTo)),
          columnFrom,
          columnTo: Math.max(columnFrom, columnTo),
        }),
        gaps: data.gaps,
        ticks: labelledTicks({ from, to, rowFrom, rowTo }, frame.plot.width),
        unknownUntil:
          known === null || known <= from
            ? null
            : { at: known, label: t('notWatchedBefore', { time: timeLabel(known) }) },
        noNamespace: t('noNamespace'),
      };
      drawHeat(context, scene, look.ink);
    },
    [data, from, to, rowFrom, rowTo, frame, bitmaps, palette, margins, blocks, known, look, t],
  );
}

function labelledTicks(window: HeatWindow, widthPx: number): HeatScene['ticks'] {
  const ticks = timeTicks(window, widthPx, zoneOffset(window.to));
  const stepMs = (ticks[1] ?? window.to) - (ticks[0] ?? window.from);
  return ticks.map((at) => ({ at, label: tickLabel(at, stepMs) }));
}
