const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between ticks that read well on a clock. */
const STEPS = [
  ...[1, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30].map((n) => n * DAY),
];

export interface TimeTicks {
  at: number[];
  stepMs: number;
}

/**
 * At most `most` moments between two, on whole hours, minutes or days of the reader's zone, whose local time is
 * `zoneMs` ahead of UTC.
 */
export function timeTicks(
  span: { from: number; to: number },
  most: number,
  zoneMs: number,
): TimeTicks {
  const length = Math.max(1, span.to - span.from);
  const stepMs =
    STEPS.find((step) => length / step <= most) ?? Math.ceil(length / most / DAY) * DAY;
  const first = Math.ceil((span.from + zoneMs) / stepMs) * stepMs - zoneMs;
  const at: number[] = [];
  for (let tick = first; tick <= span.to; tick += stepMs) at.push(tick);
  return { at, stepMs };
}

/** Local time − UTC at `at`, ms. */
export const zoneMsAt = (at: number): number => -new Date(at).getTimezoneOffset() * MINUTE;

/** How a tick is written: by the day alone, with the minute, or with the second. */
export function tickLook(at: number, stepMs: number, zoneMs: number): 'day' | 'minute' | 'second' {
  if (stepMs >= DAY || (stepMs >= HOUR && (at + zoneMs) % DAY === 0)) return 'day';
  return stepMs < MINUTE ? 'second' : 'minute';
}
