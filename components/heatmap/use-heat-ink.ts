'use client';

import { useTheme } from 'next-themes';
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import type { HeatInk } from './heat-draw';
import type { HeatTheme } from './heat-palette';

export interface HeatLook {
  theme: HeatTheme;
  ink: HeatInk;
}

function readInk(element: Element): HeatInk {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: token('--ink'),
    muted: token('--ink-3'),
    line: token('--line'),
    surface: token('--surface'),
    hatch: token('--hatch'),
    gap: token('--warning'),
    accent: token('--accent-ink'),
    bar: token('--chart-1'),
    sans: style.fontFamily,
    mono: token('--font-mono') || 'ui-monospace, monospace',
  };
}

/** The page's colours for drawing on a canvas, read anew when the theme changes; null before mounting. */
export function useHeatInk(element: RefObject<Element | null>): HeatLook | null {
  const { resolvedTheme } = useTheme();
  const [look, setLook] = useState<HeatLook | null>(null);
  useEffect(() => {
    // The theme's class is set in the same commit; its styles hold from the next frame on.
    const frame = requestAnimationFrame(() => {
      if (!element.current) return;
      setLook({
        theme: resolvedTheme === 'dark' ? 'dark' : 'light',
        ink: readInk(element.current),
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [element, resolvedTheme]);
  return look;
}
