'use client';

import { useTheme } from 'next-themes';
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import type { HeatInk } from './heat-scene';
import type { HeatTheme } from './heat-ramps';

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
    sunken: token('--sunken'),
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
    let wanted = true;
    const read = () => {
      if (!wanted || !element.current) return;
      const ink = readInk(element.current);
      setLook({ theme: resolvedTheme === 'dark' ? 'dark' : 'light', ink });
      // A canvas does not wait for a font, and none is fetched before something is written in it.
      const fonts = [`12px ${ink.mono}`, `600 11px ${ink.sans}`, `italic 11px ${ink.sans}`];
      void Promise.allSettled(fonts.map((font) => document.fonts.load(font))).then((loaded) => {
        const late = loaded.some((each) => each.status === 'fulfilled' && each.value.length > 0);
        if (wanted && late) setLook((before) => before && { ...before });
      });
    };
    // The theme's class is set in the same commit; its styles hold from the next frame on.
    const frame = requestAnimationFrame(read);
    return () => {
      wanted = false;
      cancelAnimationFrame(frame);
    };
  }, [element, resolvedTheme]);
  return look;
}
