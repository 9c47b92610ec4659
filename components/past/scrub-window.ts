import type { Gap } from '@/lib/protocol/target';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How much of the past the scrubber spans. */
export const SPANS_MS = {
  '10m': 10 * MINUTE,
  '1h': HOUR,
  '6h': 6 * HOUR,
  '24h': DAY,
  '7d': 7 * DAY,
} as const;
export type SpanName = keyof typeof SPANS_MS;
const SPAN_NAMES = ['10m', '1h', '6h', '24h', '7d'] as const satisfies readonly SpanName[];

/** Shorter than this the scrubber would be of no use. */
const LEAST_SPAN_MS = MINUTE;

export interface ScrubWindow {
  /** Epoch ms. */
  from: number;
  to: number;
}

/** The spans worth offering: all that are kept, and the first one that covers it. */
export function offeredSpans(keptMs: number): SpanName[] {
  const covering = SPAN_NAMES.findIndex((name) => SPANS_MS[name] >= keptMs);
  return covering === -1 ? [...SPAN_NAMES] : SPAN_NAMES.slice(0, covering + 1);
}

/** The shortest span that reaches from now back to the moment with room to go on. */
export function spanFor(at: number | null, now: number): SpanName {
  const age = at === null ? 0 : now - at;
  return SPAN_NAMES.find((name) => SPANS_MS[name] * 0.8 >= age) ?? '7d';
}

/**
 * What the scrubber spans: up to the present where the moment lies in that, else around the moment, moving on by half
 * its length so that it stands still while one scrubs.
 */
export function scrubWindow(options: {
  spanMs: number;
  at: number | null;
  now: number;
  keptFrom: number | null;
}): ScrubWindow {
  const { spanMs, at, now } = options;
  const keptFrom = Math.min(options.keptFrom ?? now, now - LEAST_SPAN_MS);
  const half = spanMs / 2;
  const start =
    at === null || at >= now - spanMs
      ? now - spanMs
      : Math.min(now - spanMs, Math.floor(at / half) * half - half / 2);
  const from = Math.max(Math.min(keptFrom, at ?? keptFrom), start);
  return { from, to: Math.min(now, Math.max(from + LEAST_SPAN_MS, start + spanMs)) };
}

/** How far a key moves the moment, ms; null for a key that does not. */
export function keyStepMs({ key, shiftKey }: { key: string; shiftKey: boolean }): number | null {
  const arrow = shiftKey ? MINUTE : SECOND;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return -arrow;
    case 'ArrowRight':
    case 'ArrowUp':
      return arrow;
    case 'PageDown':
      return -10 * MINUTE;
    case 'PageUp':
      return 10 * MINUTE;
    default:
      return null;
  }
}

/** Position and width of a span within the window, as shares of it. */
export interface Share {
  left: number;
  width: number;
}

/** Where gaps lie in the window; those outside are left out. */
export function gapShares(
  gaps: readonly Gap[],
  { from, to }: ScrubWindow,
): (Share & { gap: Gap })[] {
  return gaps.flatMap((gap) => {
    const start = Math.max(from, gap.from);
    const end = Math.min(to, gap.to ?? to);
    if (end <= start) return [];
    return [{ gap, left: (start - from) / (to - from), width: (end - start) / (to - from) }];
  });
}

/** A moment as `datetime-local` takes it: the reader's time without a zone, to the millisecond. */
export function localTextMs(at: number): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${day}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** The stretch of time in the address, moved so that it ends at a moment; nothing where the address names none. */
export function rangeEndingAt(
  get: (name: string) => string | null,
  at: number,
): { from?: number; to?: number } {
  const from = Number(get('from'));
  const to = Number(get('to'));
  if (!(from > 0 && to > from)) return {};
  return { from: Math.max(1, Math.round(at - (to - from))), to: Math.round(at) };
}
