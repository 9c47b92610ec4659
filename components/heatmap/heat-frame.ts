import type { useTranslations } from 'use-intl';
import type { HeatRow } from '@/lib/protocol/measures';
import { dataEnd } from './heat-data';
import { metricFigure, tickLabel, timeLabel, zoneOffset } from './heat-format';
import { labelBoxes } from './heat-labels';
import type { HeatFrame } from './heat-layout';
import { timeTicks } from './heat-layout';
import type { HeatPicture } from './heat-picture';
import { coarseFactor } from './heat-raster';
import type { DrawnLabel, HeatMarks, HeatScene } from './heat-scene';
import type { Margins } from './heat-sums';
import type { HeatTexts } from './heat-text';
import type { LabelBlock } from './heat-tree';
import type { HeatWindow } from './heat-window';

export type HeatWords = ReturnType<typeof useTranslations<'heatmap'>>;

/** What one frame of the map shows. */
export interface HeatFrameParts {
  picture: HeatPicture;
  window: HeatWindow;
  frame: HeatFrame;
  palette: Uint32Array;
  /** Device pixels per CSS pixel. */
  ratio: number;
  marker: number | null;
  isLive: boolean;
  texts: HeatTexts;
  t: HeatWords;
}

/** Everything that is drawn, worked out: costs what is in sight, not the cells. */
export function sceneOf(parts: HeatFrameParts, marks: HeatMarks): HeatScene {
  const { picture, window, frame, marker, isLive, texts, t } = parts;
  const { data, known } = picture;
  const range = visibleCells(parts);
  const margins = picture.margins.visible(range);
  const earlier = picture.earlierMargins?.visible(range) ?? null;
  return {
    ...marks,
    frame,
    window,
    rowCount: data.rows.length,
    labels: drawnLabels(parts),
    columns: data.columns,
    stepMs: data.stepMs,
    bitmap: bitmapOf(parts),
    hasUnknown: picture.hasUnknown || reachesBeyond(parts),
    margins,
    earlier,
    marginTop: metricFigure(data.metric, highestColumn(margins, earlier)),
    gaps: data.gaps,
    ticks: labelledTicks(window, frame.plot.width),
    unknownUntil:
      known === null || known <= window.from
        ? null
        : { at: known, label: t('notWatchedBefore', { time: timeLabel(known) }) },
    marker: marker === null ? null : { at: marker, label: timeLabel(marker) },
    isLive,
    texts,
  };
}

function reachesBeyond({ picture, window }: HeatFrameParts): boolean {
  const { columns } = picture.data;
  const end = dataEnd(picture.data) ?? window.from;
  return window.from < (columns[0] ?? window.to) || window.to > end;
}

function visibleCells({ picture, window }: HeatFrameParts) {
  const { columns, stepMs, rows } = picture.data;
  const first = columns[0] ?? window.from;
  const columnFrom = Math.min(
    columns.length,
    Math.max(0, Math.floor((window.from - first) / stepMs)),
  );
  const columnTo = Math.min(columns.length, Math.ceil((window.to - first) / stepMs));
  return {
    rowFrom: Math.max(0, Math.floor(window.rowFrom)),
    rowTo: Math.min(rows.length, Math.ceil(window.rowTo)),
    columnFrom,
    columnTo: Math.max(columnFrom, columnTo),
  };
}

function bitmapOf({ picture, window, frame, ratio, palette }: HeatFrameParts): HeatScene['bitmap'] {
  const rowFactor = coarseFactor(window.rowTo - window.rowFrom, frame.plot.height * ratio);
  const columnFactor = coarseFactor(
    (window.to - window.from) / picture.data.stepMs,
    frame.plot.width * ratio,
  );
  const canvas = picture.bitmaps.canvas({ row: rowFactor, column: columnFactor }, palette);
  return canvas && { canvas, rowFactor, columnFactor };
}

const highestColumn = (margins: Margins, earlier: Margins | null): number =>
  [...margins.byColumn, ...(earlier?.byColumn ?? [])].reduce<number>(
    (top, sum) => Math.max(top, sum ?? 0),
    0,
  );

function drawnLabels({ picture, frame, window, t }: HeatFrameParts): DrawnLabel[] {
  return labelBoxes(picture.tree, frame, window).map((box) => ({
    ...box,
    text: blockText(box.block, picture.rowKind, t),
    isRest: box.block.row?.kind === 'others',
  }));
}

/** The text of a label, at the left of the map or in a path. */
export function blockText({ row, path }: LabelBlock, kind: HeatRow['kind'], t: HeatWords): string {
  if (row) return rowText(row, kind, t);
  const own = path.at(-1) ?? '';
  return own === '' && path.length === 1 ? t('noNamespace') : own;
}

/** What a row is called: its name, or how many are added up in it. `kind`: what the map's rows are. */
export function rowText(row: HeatRow, kind: HeatRow['kind'], t: HeatWords): string {
  if (row.kind !== 'others') return row.label;
  const rest = row.path.length > 2 ? kind : 'class';
  return row.merged === undefined
    ? t(`others.${rest}`)
    : t(`othersCount.${rest}`, { count: row.merged });
}

function labelledTicks(window: HeatWindow, widthPx: number): HeatScene['ticks'] {
  const ticks = timeTicks(window, widthPx, zoneOffset(window.to));
  const stepMs = (ticks[1] ?? window.to) - (ticks[0] ?? window.from);
  return ticks.map((at) => ({ at, label: tickLabel(at, stepMs) }));
}
