'use client';

import type { ReactNode, RefObject } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CellFacts } from './heat-cell';
import { cellFacts } from './heat-cell';
import { dataEnd } from './heat-data';
import { heatKeys } from './heat-keys';
import { labelAt, labelBoxes } from './heat-labels';
import type { CellAt } from './heat-layout';
import { cellAt, layOut } from './heat-layout';
import type { HeatColours } from './heat-palette';
import type { HeatPicture } from './heat-picture';
import { besideCell } from './heat-place';
import { HeatAnnouncement } from './heat-announcement';
import { HeatTooltip, LabelTooltip, TOOLTIP_SIZE } from './heat-tooltip';
import type { LabelBlock } from './heat-tree';
import { selectWindow, windowAround } from './heat-window';
import type { HeatLook } from './use-heat-ink';
import { useHeatPin } from './use-heat-pin';
import { useHeatPainter } from './use-heat-painter';
import type { PlotPoint } from './use-heat-pointer';
import { useHeatPointer } from './use-heat-pointer';
import type { Place } from './use-heat-window';
import { useHeatWindow } from './use-heat-window';
import { useWidth } from './use-width';

interface Props {
  picture: HeatPicture;
  /** What the address says is in sight. */
  place: Place;
  colours: HeatColours;
  look: HeatLook | null;
  maxHeight: number;
  isLive: boolean;
  /** A moment to mark, epoch ms. */
  marker: number | null;
  /** What a press on a label would do. */
  pressDoes: (block: LabelBlock) => 'drillDown' | 'openLocks' | null;
  onLabel: (block: LabelBlock) => void;
  /** `isPart`: the rows were chosen too, and not only the time. */
  onPlace: (place: Place, chosenRows?: { from: number; to: number }) => void;
  onBack: () => void;
  onReset: () => void;
  /** What stands beside a pinned cell. */
  pinned: (pin: {
    facts: CellFacts;
    at: { left: number; top: number; width: number } | null;
    cell: CellAt;
    onClose: () => void;
  }) => ReactNode;
  pinSize: { width: number; height: number };
}

/** Rows lower than this are zoomed along with the time. */
const DENSE_ROW_PX = 14;

/** The map itself: a canvas with hover, pin, zoom, selection and a keyboard cursor. */
export function HeatCanvas(props: Props) {
  const { picture, place, colours, look, onPlace } = props;
  const { data } = picture;
  const t = useTranslations('heatmap');
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const [hover, setHover] = useState<CellAt | null>(null);
  const [hoverLabel, setHoverLabel] = useState<LabelBlock | null>(null);
  const { pinned, pin: setPinned } = useHeatPin(data);

  const rowCount = data.rows.length;
  const depth = picture.tree.length;
  const frame = useMemo(
    () => layOut({ width, maxHeight: props.maxHeight, rows: rowCount, depth }),
    [width, props.maxHeight, rowCount, depth],
  );
  const until = dataEnd(data) ?? place.time.to;
  const view = useHeatWindow({ ...place, rowCount, until, onSettle: onPlace });
  const window = view.window;
  const isDense = frame.plot.height / (window.rowTo - window.rowFrom) < DENSE_ROW_PX;
  const zoomsRows = isDense || place.rows !== null;
  const grid = { rows: rowCount, columns: data.columns, stepMs: data.stepMs };
  const labelUnder = (point: PlotPoint) =>
    labelAt(labelBoxes(picture.tree, frame, window), point.px);

  const pointer = useHeatPointer({
    canvas,
    frame,
    onHover: (point) => {
      setHover(point && cellAt(point, window, grid));
      setHoverLabel(point && point.x < 0 ? labelUnder(point) : null);
    },
    onPress: (point) => {
      const label = point.x < 0 ? labelUnder(point) : null;
      if (label) return props.onLabel(label);
      const cell = cellAt(point, window, grid);
      setPinned(cell && pinned?.row === cell.row && pinned.column === cell.column ? null : cell);
    },
    onSelect: (selection) => {
      const next = selectWindow(window, selection, isDense);
      const rows = { from: next.rowFrom, to: next.rowTo };
      const time = { from: next.from, to: Math.min(until, next.to) };
      setPinned(null);
      onPlace({ time, rows: isDense ? rows : place.rows }, isDense ? rows : undefined);
    },
    onZoom: (by, onlyRows) =>
      view.zoom({ ...by, axes: { time: !onlyRows, rows: onlyRows || zoomsRows } }),
    onPan: (time) => view.pan({ time, rows: 0 }),
  });

  const paint = useHeatPainter({ ...props, window, frame, t });
  const { selection } = pointer;
  useEffect(() => {
    const element = canvas.current;
    if (!element || !look || width === 0) return undefined;
    const request = requestAnimationFrame(() =>
      paint(element, { hover, hoverLabel, pinned, selection }),
    );
    return () => cancelAnimationFrame(request);
  }, [paint, look, width, hover, hoverLabel, pinned, selection]);

  const onKeyDown = heatKeys(grid, {
    cursor: hover ?? pinned,
    move: (cell) => {
      setHover(cell);
      const from = data.columns[cell.column] ?? window.from;
      const target = { from, to: from + data.stepMs, row: cell.row };
      if (isOutside(target, window)) view.move((before) => windowAround(before, target));
    },
    pin: setPinned,
    back: props.onBack,
    reset: props.onReset,
    zoom: (factor) => view.zoom({ x: 1, y: 0.5, factor, axes: { time: true, rows: zoomsRows } }),
  });

  const source = { data, known: picture.known, before: picture.before };
  const facts = hover && cellFacts(source, hover);
  const pinnedFacts = pinned && cellFacts(source, pinned);
  const spotOf = (cell: CellAt, size: { width: number; height: number }) =>
    besideCell(cell, grid, { window, frame, size });
  const spot = hover && spotOf(hover, TOOLTIP_SIZE);
  return (
    <div ref={box} className="relative min-w-0">
      {/* A map that arrow keys walk over is an application, not a document. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('label', { metric: t(`metrics.${data.metric}`), rows: rowCount })}
        aria-describedby="heat-keys"
        onKeyDown={onKeyDown}
        onBlur={() => setHover(null)}
      >
        <MapCanvas
          canvas={canvas}
          frame={frame}
          isOverLabel={hoverLabel !== null && props.pressDoes(hoverLabel) !== null}
          handlers={pointer.handlers}
        />
      </div>
      <p id="heat-keys" className="sr-only">
        {t('keys')}
      </p>
      <HeatAnnouncement picture={picture} facts={facts ?? pinnedFacts} />
      {facts && spot && !selection && !isSameCell(hover, pinned) && (
        <HeatTooltip facts={facts} picture={picture} colours={colours} place={spot} />
      )}
      {hoverLabel && (
        <LabelTooltip
          block={hoverLabel}
          kind={picture.rowKind}
          does={props.pressDoes(hoverLabel)}
          place={labelSpot(hoverLabel, frame, window)}
        />
      )}
      {pinnedFacts &&
        pinned &&
        props.pinned({
          facts: pinnedFacts,
          at: spotOf(pinned, props.pinSize),
          cell: pinned,
          onClose: () => setPinned(null),
        })}
    </div>
  );
}

interface MapCanvasProps {
  canvas: RefObject<HTMLCanvasElement | null>;
  frame: ReturnType<typeof layOut>;
  isOverLabel: boolean;
  handlers: ReturnType<typeof useHeatPointer>['handlers'];
}

function MapCanvas({ canvas, frame, isOverLabel, handlers }: MapCanvasProps) {
  return (
    <canvas
      ref={canvas}
      style={{ width: frame.width, height: frame.height }}
      className={`block touch-pan-y select-none ${isOverLabel ? 'cursor-pointer' : 'cursor-crosshair'}`}
      {...handlers}
    />
  );
}

const isSameCell = (a: CellAt | null, b: CellAt | null): boolean =>
  a?.row === b?.row && a?.column === b?.column;

function isOutside(
  cell: { from: number; to: number; row: number },
  window: { from: number; to: number; rowFrom: number; rowTo: number },
): boolean {
  const { from, to, rowFrom, rowTo } = window;
  return cell.from < from || cell.to > to || cell.row < rowFrom || cell.row + 1 > rowTo;
}

/** Right of the labels, at the height of the block's upper end in sight. */
function labelSpot(
  block: LabelBlock,
  { plot }: ReturnType<typeof layOut>,
  { rowFrom, rowTo }: { rowFrom: number; rowTo: number },
) {
  const share = Math.max(0, block.from - rowFrom) / (rowTo - rowFrom);
  return { left: plot.left + 8, top: plot.top + share * plot.height };
}
