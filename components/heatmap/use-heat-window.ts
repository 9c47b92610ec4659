'use client';

import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { RANGES, type Span } from './heat-params';
import type { HeatWindow, Zoom } from './heat-window';
import { panWindow, zoomWindow } from './heat-window';

/** What the address says is in sight; rows null = all. */
export interface Place {
  time: Span;
  rows: Span | null;
}

interface Draft extends Place {
  /** What the address said when the wheel began to turn; another one ends the draft. */
  of: string;
}

/** How long after the last turn of the wheel the finer figures are asked for. */
const SETTLE_MS = 280;
/** How far a zoom out may reach back. */
const FARTHEST_MS = RANGES['90d'];

interface Options extends Place {
  /** The time follows the present: that it moves on is no other place. */
  isLive: boolean;
  rowCount: number;
  /** The end of what is known, epoch ms. */
  until: number;
  onSettle: (place: Place) => void;
}

/**
 * The visible part while the wheel turns. The picture follows at once by scaling what is there; the place
 * goes to the address, and so to the server, when the wheel rests.
 */
export function useHeatWindow({ time, rows, isLive, rowCount, until, onSettle }: Options) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const { from, to } = time;
  const rowFrom = rows?.from ?? null;
  const rowTo = rows?.to ?? null;
  const address = [isLive ? to - from : [from, to], rowFrom, rowTo].join(' ');
  const current = draft?.of === address ? draft : null;
  const window = windowOf(current ?? { time, rows }, rowCount);

  const settled = useEffectEvent(onSettle);
  useEffect(() => {
    if (!current) return undefined;
    const timer = setTimeout(() => settled({ time: current.time, rows: current.rows }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current]);

  const move = useCallback(
    (next: (window: HeatWindow, bounds: HeatWindow) => HeatWindow) => {
      const place: Place = {
        time: { from, to },
        rows: rowFrom === null || rowTo === null ? null : { from: rowFrom, to: rowTo },
      };
      const most = Math.max(1, rowCount);
      const bounds = { from: until - FARTHEST_MS, to: until, rowFrom: 0, rowTo: most };
      // Several turns may come before the next render: each starts from the one before.
      setDraft((before) => {
        const start = before?.of === address ? before : place;
        const moved = next(windowOf(start, rowCount), bounds);
        const isWhole = moved.rowFrom <= 0 && moved.rowTo >= most;
        return {
          of: address,
          time: { from: Math.round(moved.from), to: Math.round(moved.to) },
          rows: isWhole ? null : { from: moved.rowFrom, to: moved.rowTo },
        };
      });
    },
    [from, to, rowFrom, rowTo, address, rowCount, until],
  );
  const zoom = useCallback(
    (by: Zoom) => move((before, bounds) => zoomWindow(before, by, bounds)),
    [move],
  );
  const pan = useCallback(
    (by: { time: number; rows: number }) => move((before, bounds) => panWindow(before, by, bounds)),
    [move],
  );
  return { window, zoom, pan, move };
}

function windowOf({ time, rows }: Place, rowCount: number): HeatWindow {
  const rowTo = Math.max(1, Math.min(rows?.to ?? rowCount, rowCount));
  return {
    from: time.from,
    to: time.to,
    rowFrom: Math.max(0, Math.min(rows?.from ?? 0, rowTo - 1)),
    rowTo,
  };
}
