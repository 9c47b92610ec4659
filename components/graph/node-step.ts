import type { KeyboardEvent } from 'react';

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Which of `of` nodes round a circle a key leads to; null when it leads nowhere. */
export function stepOf(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  { at, of }: { at: number; of: number },
): number | null {
  if (ctrlKey || metaKey || altKey || of === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return of - 1;
  const step = STEPS[key];
  return step === undefined ? null : (at + step + of) % of;
}
