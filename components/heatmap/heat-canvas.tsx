'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { Heatmap } from '@/lib/protocol/measures';
import { cellFacts, moveCell } from './heat-cell';
import { metricFigure, timeLabel } from './heat-format';
import type { CellAt } from './heat-layout';
import { cellAt, knownFrom, layOut } from './heat-layout';
import { hottestValue } from './heat-raster';
import { scaleTop } from './heat-scale';
import { HeatTooltip } from './heat-tooltip';
import { selectWindow } from './heat-window';
import { useHeatInk } from './use-heat-ink';
import { useHeatPainter } from './use-heat-painter';
import { useHeatPointer } from './use-heat-pointer';
import { useHeatWindow } from './use-heat-window';
import { useWidth } from './use-width';

interface Props {
  data: Heatmap;
  /** The time that is shown, epoch ms. */
  time: { from: number; to: number };
  brightness: number;
  maxHeight: number;
  /** Opens the locks behind a row. */
  hrefOf: (row: number) => string;
  onOpen: (row: number) => void;
  onTime: (time: { from: number; to: number }, how: 'push' | 'replace') => void;
  onBack: () => void;
  onReset: () => void;
}

/** Rows lower than this are zoomed along with the time. */
const DENSE_ROW_PX = 14;

/** The map itself: a canvas with hover, pin, zoom, selection and a keyboard cursor. */
export function HeatCanvas(props: Props) {
  const { data, time, brightness, maxHeight, onTime, onOpen } = props;
  const t = useTranslations('heatmap');
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const look = useHeatInk(box);
  const [hover, setHover] = useState<CellAt | null>(null);
  const [pinned, setPinned] = useState<CellAt | null>(null);

  const top = scaleTop(
    data.metric,
    useMemo(() => hottestValue(data.values), [data.values]),
  );
  const frame = useMemo(
    () => layOut(width, maxHeight, data.rows.length),
    [width, maxHeight, data.rows.length],
  );
  const view = useHeatWindow({
    time,
    rowCount: data.rows.length,
    onTime: useMemo(() => (span) => onTime(span, 'replace'), [onTime]),
  });
  const window = view.window;
  const grid = { rows: data.rows.length, columns: data.columns, stepMs: data.stepMs };
  const until = (data.columns.at(-1) ?? time.to) + data.stepMs;

  const pointer = useHeatPointer({
    canvas,
    frame,
    onHover: (point) => setHover(point && cellAt(point, window, grid)),
    onPress: (point) => {
      if (point.x < 0) {
        const row = Math.floor(window.rowFrom + point.y * (window.rowTo - window.rowFrom));
        if (data.rows[row] && point.y >= 0 && point.y < 1) onOpen(row);
        return;
      }
      const cell = cellAt(point, window, grid);
      setPinned(cell && pinned?.row === cell.row && pinned.column === cell.column ? null : cell);
    },
    onSelect: (selection) => {
      const next = selectWindow(window, selection, frame.rowHeight < DENSE_ROW_PX);
      if (frame.rowHeight < DENSE_ROW_PX) view.showRows({ from: next.rowFrom, to: next.rowTo });
      onTime({ from: next.from, to: Math.min(until, next.to) }, 'push');
    },
    onZoom: (by, onlyRows) =>
      view.zoom(
        { ...by, axes: { time: !onlyRows, rows: onlyRows || frame.rowHeight < DENSE_ROW_PX } },
        until,
      ),
  });

  const known = useMemo(() => knownFrom(data.values, data.columns), [data.values, data.columns]);
  const paint = useHeatPainter({ data, window, frame, top, brightness, look, known, t });
  useEffect(() => {
    const element = canvas.current;
    if (!element || !look || width === 0) return undefined;
    const request = requestAnimationFrame(() =>
      paint(element, { hover, pinned, selection: pointer.selection }),
    );
    return () => cancelAnimationFrame(request);
  }, [paint, look, width, hover, pinned, pointer.selection]);

  const onKeyDown = (event: KeyboardEvent) => {
    const cursor = hover ?? pinned ?? { row: 0, column: data.columns.length - 1 };
    const moved = moveCell(cursor, event.key, {
      rows: data.rows.length,
      columns: data.columns.length,
    });
    const act = keyAction(event.key, {
      pin: () => setPinned(cursor),
      unpin: () => setPinned(null),
      back: props.onBack,
      reset: () => {
        view.reset();
        props.onReset();
      },
      zoom: (factor) =>
        view.zoom({ x: 1, y: 0.5, factor, axes: { time: true, rows: false } }, until),
    });
    if (event.ctrlKey || event.metaKey || event.altKey || (!moved && !act)) return;
    event.preventDefault();
    event.stopPropagation();
    if (moved) setHover(moved);
    act?.();
  };

  const shown = pinned ?? hover;
  const facts = shown && cellFacts(data, shown, known);
  const value = facts && facts.value !== null ? metricFigure(data.metric, facts.value) : null;
  return (
    <div ref={box} className="relative min-w-0">
      {/* A map that arrow keys walk over is an application, not a document. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('label', { metric: t(`metrics.${data.metric}`), rows: data.rows.length })}
        aria-describedby="heat-keys"
        onKeyDown={onKeyDown}
        onBlur={() => setHover(null)}
      >
        <canvas
          ref={canvas}
          style={{ width: frame.width, height: frame.height }}
          className="block cursor-crosshair touch-pan-y select-none"
          {...pointer.handlers}
        />
      </div>
      <p id="heat-keys" className="sr-only">
        {t('keys')}
      </p>
      <output className="sr-only">
        {facts &&
          t('announce', {
            path: facts.path.join(' › ') || facts.label,
            time: timeLabel(facts.from),
            value: value ? t(`units.${data.metric}`, { value }) : t('unknownValue'),
          })}
      </output>
      {facts && shown && look && (
        <HeatTooltip
          facts={facts}
          data={data}
          cell={shown}
          window={window}
          frame={frame}
          top={top}
          brightness={brightness}
          theme={look.theme}
          href={pinned ? props.hrefOf(shown.row) : null}
          onClose={() => setPinned(null)}
        />
      )}
    </div>
  );
}

function keyAction(
  key: string,
  act: {
    pin: () => void;
    unpin: () => void;
    back: () => void;
    reset: () => void;
    zoom: (factor: number) => void;
  },
): (() => void) | null {
  switch (key) {
    case 'Enter':
    case ' ':
      return act.pin;
    case 'Escape':
      return act.unpin;
    case 'Backspace':
      return act.back;
    case 'r':
    case 'R':
      return act.reset;
    case '+':
    case '=':
      return () => act.zoom(0.6);
    case '-':
      return () => act.zoom(1 / 0.6);
    default:
      return null;
  }
}
