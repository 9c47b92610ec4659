'use client';

import { usePlotArea } from 'recharts';
import { useState, type PointerEvent } from 'react';
import type { Span } from './time-range';

interface Props {
  /** What the width of the plot stands for. */
  span: Span;
  /** Moments are chosen on these steps: within one nothing is told apart. */
  stepMs: number;
  marker: number | null;
  onMark: (at: number) => void;
  onSelect: (span: Span) => void;
}

interface Stroke {
  /** 0…1 of the width. */
  start: number;
  now: number;
  moves: 'marker' | 'selection';
}

/** Less than this is a click. */
const CLICK_PX = 4;
const GRIP_PX = 7;

/**
 * The pointer on a chart of time: a click puts the marker, a drag of the marker moves it, any other drag selects a
 * span. Inside the chart, so that the chart's own tooltip goes on following the pointer. What it does by pointer
 * is done by keyboard in the fields beside the chart.
 */
export function TimeHand({ span, stepMs, marker, onMark, onSelect }: Props) {
  const plot = usePlotArea();
  const [stroke, setStroke] = useState<Stroke | null>(null);
  if (!plot || plot.width <= 0) return null;
  const length = span.to - span.from;
  const shareOf = (event: PointerEvent<SVGRectElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const momentAt = (share: number): number =>
    Math.round((span.from + share * length) / stepMs) * stepMs;
  const within = (at: number): number => Math.min(span.to, Math.max(span.from, at));
  const x = (share: number): number => plot.x + share * plot.width;
  const markerShare = marker === null ? null : (marker - span.from) / length;
  const isAtMarker = (share: number): boolean =>
    markerShare !== null && Math.abs(share - markerShare) * plot.width <= GRIP_PX;

  const begin = (event: PointerEvent<SVGRectElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const start = shareOf(event);
    setStroke({ start, now: start, moves: isAtMarker(start) ? 'marker' : 'selection' });
  };
  const move = (event: PointerEvent<SVGRectElement>): void => {
    if (stroke) setStroke({ ...stroke, now: shareOf(event) });
  };
  const end = (event: PointerEvent<SVGRectElement>): void => {
    if (!stroke) return;
    setStroke(null);
    const now = shareOf(event);
    const isClick = Math.abs(now - stroke.start) * plot.width < CLICK_PX;
    if (isClick || stroke.moves === 'marker') {
      const at = momentAt(now);
      if (at > span.from && at < span.to && !(isClick && isAtMarker(now))) onMark(at);
      return;
    }
    const [left, right] = [Math.min(stroke.start, now), Math.max(stroke.start, now)];
    const from = within(Math.floor((span.from + left * length) / stepMs) * stepMs);
    const to = within(Math.ceil((span.from + right * length) / stepMs) * stepMs);
    if (to > from) onSelect({ from, to });
  };

  const isMoving = stroke?.moves === 'marker';
  const shownMarker = isMoving ? stroke.now : markerShare;
  return (
    <g>
      {stroke?.moves === 'selection' && (
        <rect
          x={x(Math.min(stroke.start, stroke.now))}
          width={Math.abs(stroke.now - stroke.start) * plot.width}
          y={plot.y}
          height={plot.height}
          fill="var(--accent)"
          fillOpacity={0.16}
          stroke="var(--accent-ink)"
          strokeOpacity={0.6}
        />
      )}
      {shownMarker !== null && shownMarker >= 0 && shownMarker <= 1 && (
        <MarkerLine x={x(shownMarker)} top={plot.y} bottom={plot.y + plot.height} />
      )}
      <rect
        data-hand
        x={plot.x}
        y={plot.y}
        width={plot.width}
        height={plot.height}
        fill="transparent"
        style={{ cursor: isMoving ? 'ew-resize' : 'crosshair', touchAction: 'pan-y' }}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setStroke(null)}
      />
    </g>
  );
}

function MarkerLine({ x, top, bottom }: { x: number; top: number; bottom: number }) {
  return (
    <g data-marker stroke="var(--accent-ink)" fill="var(--accent-ink)">
      <line x1={x} x2={x} y1={top} y2={bottom} strokeWidth={1.5} />
      <path d={`M${x - 5},${top - 6} h10 v4 l-5,5 l-5,-5 z`} stroke="none" />
    </g>
  );
}
