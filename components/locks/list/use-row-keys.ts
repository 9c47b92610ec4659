'use client';

import { useEffect, useState, type RefObject } from 'react';
import { isPlainKey } from '@/components/hooks/key-events';

interface Options {
  container: RefObject<HTMLElement | null>;
  total: number;
  scrollTo: (index: number) => void;
}

const STEP: Record<string, number> = { j: 1, k: -1 };

/**
 * `j` and `k` move through the rows, also those that are not drawn yet; the link of the row takes the
 * focus, so that Enter and everything else is the browser's own. Returns the active row, -1 without one.
 */
export function useRowKeys({ container, total, scrollTo }: Options): number {
  const [active, setActive] = useState(-1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEP[event.key];
      if (step === undefined || total === 0 || !isPlainKey(event)) return;
      event.preventDefault();
      setActive((index) => Math.min(total - 1, Math.max(0, index + step)));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [total]);

  useEffect(() => {
    if (active < 0) return undefined;
    scrollTo(active);
    // The row may be drawn only after the scroll took effect.
    const frame = requestAnimationFrame(() => {
      container.current
        ?.querySelector<HTMLElement>(`[data-row="${active}"] a`)
        ?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [active, container, scrollTo]);

  return active < total ? active : -1;
}
