'use client';

import type { RefObject } from 'react';
import { heatKeys } from './heat-keys';
import { labelAt, labelBoxes } from './heat-labels';
import type { CellAt, HeatFrame } from './heat-layout';
import { cellAt } from './heat-layout';
import type { Span } from './heat-params';
import type { HeatPicture } from './heat-picture';
import type { LabelBlock } from './heat-tree';
import { isOutside, selectWindow, windowAround } from './heat-window';
import type { HeatPointing } from './use-heat-pointing';
import type { PlotPoint } from './use-heat-pointer';
import { useHeatPointer } from './use-heat-pointer';
import type { Place, useHeatWindow } from './use-heat-window';

interface Options {
  canvas: RefObject<HTMLCanvasElement | null>;
  picture: HeatPicture;
  frame: HeatFrame;
  view: ReturnType<typeof useHeatWindow>;
  place: Place;
  /** The end of what is known, epoch ms. */
  until: number;
  pointing: HeatPointing;
  onLabel: (block: LabelBlock) => void;
  /** `chosenRows`: of which the map was narrowed to some, and not only in time. */
  onPlace: (place: Place, chosenRows?: Span) => void;
  onBack: () => void;
  onReset: () => void;
}

/** Rows lower than this are zoomed and selected along with the time. */
const DENSE_ROW_PX = 14;

/** What pointer, wheel and keys do on the map. */
export function useHeatGestures(options: Options) {
  const { picture, frame, view, place, until, pointing } = options;
  const { columns, stepMs, rows } = picture.data;
  const { window } = view;
  const grid = { rows: rows.length, columns, stepMs };
  const isDense = frame.plot.height / (window.rowTo - window.rowFrom) < DENSE_ROW_PX;
  // What was zoomed into by rows is left the same way.
  const zoomsRows = isDense || place.rows !== null;
  const labelUnder = (point: PlotPoint): LabelBlock | null =>
    point.x < 0 ? labelAt(labelBoxes(picture.tree, frame, window), point.px) : null;

  const pointer = useHeatPointer({
    canvas: options.canvas,
    frame,
    onHover: (point) => {
      pointing.setHover(point && cellAt(point, window, grid));
      pointing.setHoverLabel(point && labelUnder(point));
    },
    onPress: (point) => {
      const label = labelUnder(point);
      if (label) return options.onLabel(label);
      const cell = cellAt(point, window, grid);
      pointing.pin(isSameCell(cell, pointing.pinned) ? null : cell);
    },
    onSelect: (selection) => {
      const next = selectWindow(window, selection, isDense);
      const time = { from: next.from, to: Math.min(until, next.to) };
      pointing.pin(null);
      if (!isDense) return options.onPlace({ time, rows: place.rows });
      const chosen = { from: next.rowFrom, to: next.rowTo };
      options.onPlace({ time, rows: chosen }, chosen);
    },
    onZoom: (by, onlyRows) =>
      view.zoom({ ...by, axes: { time: !onlyRows, rows: onlyRows || zoomsRows } }),
    onPan: (time) => view.pan({ time, rows: 0 }),
  });

  const onKeyDown = heatKeys(grid, {
    cursor: pointing.hover ?? pointing.pinned,
    move: (cell) => {
      pointing.setHover(cell);
      const from = columns[cell.column] ?? window.from;
      const target = { from, to: from + stepMs, row: cell.row };
      if (isOutside(target, window)) view.move((before) => windowAround(before, target));
    },
    isPinned: pointing.pinned !== null,
    pin: pointing.pin,
    back: options.onBack,
    reset: options.onReset,
    zoom: (factor) => view.zoom({ x: 1, y: 0.5, factor, axes: { time: true, rows: zoomsRows } }),
  });
  return { ...pointer, onKeyDown };
}

export const isSameCell = (a: CellAt | null, b: CellAt | null): boolean =>
  a?.row === b?.row && a?.column === b?.column;
