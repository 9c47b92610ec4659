'use client';

import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Heatmap, HeatMetric } from '@/lib/protocol/measures';
import { cellFacts, type CellFacts } from './heat-cell';
import { metricFigure, timeLabel } from './heat-format';
import { heatKeys } from './heat-keys';
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

  const onKeyDown = heatKeys(grid, {
    cursor: hover ?? pinned,
    move: setHover,
    pin: setPinned,
    back: props.onBack,
    reset: () => {
      view.reset();
      props.onReset();
    },
    zoom: (factor) => view.zoom({ x: 1, y: 0.5, factor, axes: { time: true, rows: false } }, until),
  });

  const shown = pinned ?? hover;
  const facts = shown && cellFacts(data, shown, known);
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
      <Announcement metric={data.metric} facts={facts} />
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

/** The cell under the cursor, for those who hear it. */
function Announcement({ metric, facts }: { metric: HeatMetric; facts: CellFacts | null }) {
  const t = useTranslations('heatmap');
  if (!facts) return <output className="sr-only" />;
  const value = facts.value === null ? null : metricFigure(metric, facts.value);
  return (
    <output className="sr-only">
      {t('announce', {
        path: facts.path.join(' › ') || facts.label,
        time: timeLabel(facts.from),
        value: value ? t(`units.${metric}`, { value }) : t('unknownValue'),
      })}
    </output>
  );
}
