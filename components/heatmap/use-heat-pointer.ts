'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import type { HeatFrame } from './heat-layout';
import type { Zoom } from './heat-window';

export interface Selection {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface PlotPoint {
  /** 0…1 inside the plot; outside it below 0 or above 1. */
  x: number;
  y: number;
  /** In CSS pixels from the top left of the canvas. */
  px: { x: number; y: number };
}

interface Options {
  canvas: RefObject<HTMLCanvasElement | null>;
  frame: HeatFrame;
  onHover: (point: PlotPoint | null) => void;
  onPress: (point: PlotPoint) => void;
  onSelect: (selection: Selection) => void;
  onZoom: (by: Pick<Zoom, 'x' | 'y' | 'factor'>, onlyRows: boolean) => void;
  /** By shares of what is in sight; > 0 = later. */
  onPan: (time: number) => void;
}

/** A drag shorter than this is a press. */
const DRAG_PX = 5;
const clamp = (share: number) => Math.min(1, Math.max(0, share));

/** Hover, press, drag and wheel over the plot, in shares of it. */
export function useHeatPointer({
  canvas,
  frame,
  onHover,
  onPress,
  onSelect,
  onZoom,
  onPan,
}: Options) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const start = useRef<{ point: PlotPoint; clientX: number; clientY: number } | null>(null);

  const pointOf = (event: { clientX: number; clientY: number }): PlotPoint | null => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return null;
    const px = { x: event.clientX - box.left, y: event.clientY - box.top };
    return {
      x: (px.x - frame.plot.left) / frame.plot.width,
      y: (px.y - frame.plot.top) / frame.plot.height,
      px,
    };
  };

  const onWheel = useEffectEvent((event: WheelEvent) => {
    const point = pointOf(event);
    if (!point || point.x < 0 || point.x > 1 || point.y < 0 || point.y > 1) return;
    event.preventDefault();
    if (!event.shiftKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      return onPan(event.deltaX / frame.plot.width);
    }
    const amount = event.deltaY === 0 ? event.deltaX : event.deltaY;
    const factor = Math.exp(Math.max(-120, Math.min(120, amount)) / 300);
    onZoom({ ...point, factor }, event.shiftKey);
  });
  useEffect(() => {
    const element = canvas.current;
    // React listens passively to the wheel, where the page could not be kept from scrolling.
    const listener = (event: WheelEvent) => onWheel(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, [canvas]);

  return {
    selection,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const point = pointOf(event);
        if (!point || event.button !== 0) return;
        start.current = { point, clientX: event.clientX, clientY: event.clientY };
        const inPlot = point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1;
        if (inPlot && event.pointerType !== 'touch')
          canvas.current?.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        const point = pointOf(event);
        // Browsers tell of a move when the page moves beneath a pointer at rest: the keyboard has the cursor then.
        const isAtRest = event.movementX === 0 && event.movementY === 0;
        if (!point || isAtRest) return;
        onHover(point);
        const from = start.current;
        if (!from || from.point.x < 0 || event.pointerType === 'touch') return;
        const far =
          Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) >= DRAG_PX;
        if (!far && !selection) return;
        setSelection({
          x1: clamp(from.point.x),
          y1: clamp(from.point.y),
          x2: clamp(point.x),
          y2: clamp(point.y),
        });
      },
      onPointerUp: (event: PointerEvent) => {
        const point = pointOf(event);
        if (selection) onSelect(selection);
        else if (point && start.current) onPress(point);
        start.current = null;
        setSelection(null);
      },
      onPointerCancel: () => {
        start.current = null;
        setSelection(null);
      },
      onPointerLeave: () => onHover(null),
    },
  };
}
