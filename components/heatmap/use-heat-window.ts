'use client';

import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { HeatWindow, Zoom } from './heat-window';
import { zoomWindow } from './heat-window';

interface Span {
  from: number;
  to: number;
}

interface Draft {
  /** The time that the address showed when the wheel began to turn; another one ends the draft. */
  of: Span;
  time: Span | null;
  rows: Span | null;
}

/** How long after the last turn of the wheel the finer figures are asked for. */
const SETTLE_MS = 280;
/** How far a zoom out may reach back. */
const FARTHEST_MS = 7 * 86_400_000;

interface Options {
  /** What the address says is shown. */
  time: Span;
  rowCount: number;
  onTime: (time: Span) => void;
}

/**
 * The visible part while the wheel turns. The picture follows at once by scaling what is there; the time
 * goes to the address, and so to the server, when the wheel rests.
 */
export function useHeatWindow({ time, rowCount, onTime }: Options) {
  const { from, to } = time;
  const [draft, setDraft] = useState<Draft | null>(null);
  const window = windowOf(draft, { from, to }, rowCount);

  const settled = useEffectEvent(onTime);
  const wanted = draft && sameSpan(draft.of, { from, to }) ? draft.time : null;
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setTimeout(() => settled(wanted), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);

  const zoom = useCallback(
    (by: Zoom, until: number) => {
      const bounds = {
        from: until - FARTHEST_MS,
        to: until,
        rowFrom: 0,
        rowTo: Math.max(1, rowCount),
      };
      // Several turns may come before the next render: each starts from the one before.
      setDraft((before) => {
        const next = zoomWindow(windowOf(before, { from, to }, rowCount), by, bounds);
        const whole = next.rowFrom <= 0 && next.rowTo >= bounds.rowTo;
        return {
          of: { from, to },
          time: by.axes.time
            ? { from: Math.round(next.from), to: Math.round(next.to) }
            : (before?.time ?? null),
          rows: whole ? null : { from: next.rowFrom, to: next.rowTo },
        };
      });
    },
    [from, to, rowCount],
  );
  const reset = useCallback(() => setDraft(null), []);
  const showRows = useCallback(
    (rows: Span) => setDraft({ of: { from, to }, time: null, rows }),
    [from, to],
  );
  return { window, zoom, reset, showRows };
}

const sameSpan = (a: Span, b: Span) => a.from === b.from && a.to === b.to;

function windowOf(draft: Draft | null, time: Span, rowCount: number): HeatWindow {
  const span = (draft && sameSpan(draft.of, time) ? draft.time : null) ?? time;
  const rowTo = Math.max(1, Math.min(draft?.rows?.to ?? rowCount, rowCount));
  return {
    from: span.from,
    to: span.to,
    rowFrom: Math.max(0, Math.min(draft?.rows?.from ?? 0, rowTo - 1)),
    rowTo,
  };
}
