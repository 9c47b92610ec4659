'use client';

import { useMemo, useState } from 'react';
import { drawHeat } from './heat-draw';
import type { HeatFrameParts } from './heat-frame';
import { sceneOf } from './heat-frame';
import { createPalette } from './heat-palette';
import type { HeatMarks } from './heat-scene';
import { HeatTexts } from './heat-text';
import type { HeatColours } from './heat-palette';
import type { HeatLook } from './use-heat-ink';

type Parts = Omit<HeatFrameParts, 'palette' | 'ratio' | 'texts'> & {
  colours: HeatColours;
  look: HeatLook | null;
};

/** Keeps what is dear between frames; a frame only scales and draws what is in sight. */
export function useHeatPainter({
  picture,
  frame,
  colours,
  look,
  marker,
  isLive,
  t,
  window,
}: Parts) {
  const [texts] = useState(() => new HeatTexts());
  const { theme, ramp, brightness, kind } = colours;
  const palette = useMemo(
    () => createPalette({ theme, ramp, brightness, kind }),
    [theme, ramp, brightness, kind],
  );
  const { from, to, rowFrom, rowTo } = window;
  return useMemo(
    () => (element: HTMLCanvasElement, marks: HeatMarks) => {
      // Opaque: what lies beneath need not be blended with it in every frame.
      const context = element.getContext('2d', { alpha: false });
      if (!context || !look) return;
      const ratio = globalThis.devicePixelRatio || 1;
      sizeCanvas(element, frame, ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const parts = { picture, frame, palette, ratio, marker, isLive, texts, t };
      const scene = sceneOf({ ...parts, window: { from, to, rowFrom, rowTo } }, marks);
      drawHeat(context, scene, look.ink);
    },
    [picture, frame, palette, look, marker, isLive, texts, t, from, to, rowFrom, rowTo],
  );
}

/** Setting a size empties the canvas, so only a new one is set. */
function sizeCanvas(
  element: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  ratio: number,
): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (element.width === wide && element.height === high) return;
  element.width = wide;
  element.height = high;
}
