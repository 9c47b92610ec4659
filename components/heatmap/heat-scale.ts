import type { HeatMetric } from '@/lib/protocol/measures';

/** Level 0 is "not known"; level 1 is a known zero; 2…255 are the logarithmic steps above zero. */
export const UNKNOWN_LEVEL = 0;
export const ZERO_LEVEL = 1;
const FIRST_STEP = 2;
const LAST_STEP = 255;

/** Of a map of changes: no change. As many levels below stand for less, and above for more. */
export const SAME_LEVEL = 128;
const CHANGE_STEPS = 127;

/** What the colours of a map stand for: figures from zero to `top`, or changes from −`top` to `top`. */
export interface HeatScale {
  kind: 'heat' | 'change';
  top: number;
}

/** The scale is linear below top ÷ 1,000 and logarithmic above: three decades are told apart. */
const DECADES = 1000;
const SPAN = Math.log1p(DECADES);

/**
 * The smallest top of the scale. A relative scale makes a quiet Redis look as hot as a busy one; below
 * these figures (in the unit of the metric) nothing deserves the hottest colour.
 */
export const SMALLEST_TOP: Record<HeatMetric, number> = {
  'hold-share': 0.05,
  acquisitions: 6,
  waiters: 0.5,
  wait: 10,
  attempts: 6,
  timeouts: 1,
  handoff: 5,
  lost: 1,
};

/** The value that gets the hottest colour at brightness 0. */
export function scaleTop(metric: HeatMetric, hottest: number): number {
  return Math.max(hottest, SMALLEST_TOP[metric]);
}

/** Position 0…1 of `value` on the scale over 0…`top`. */
export function positionOf(value: number, top: number): number {
  const share = Math.min(1, Math.max(0, value / top));
  return Math.log1p(share * DECADES) / SPAN;
}

/** Reverse of {@link positionOf}. */
export function valueAt(position: number, top: number): number {
  return (Math.expm1(position * SPAN) / DECADES) * top;
}

/** The byte that stands for a figure; null and NaN = unknown. */
export function levelOf(value: number | null, { kind, top }: HeatScale): number {
  if (value === null || Number.isNaN(value)) return UNKNOWN_LEVEL;
  if (kind === 'change') {
    const steps = Math.round(positionOf(Math.abs(value), top) * CHANGE_STEPS);
    return SAME_LEVEL + Math.sign(value) * steps;
  }
  if (value <= 0) return ZERO_LEVEL;
  return FIRST_STEP + Math.round(positionOf(value, top) * (LAST_STEP - FIRST_STEP));
}

/** Position of a level on its scale: 0…1, or −1…1 on one of changes. */
export function positionOfLevel(level: number, kind: HeatScale['kind'] = 'heat'): number {
  if (kind === 'change') return (level - SAME_LEVEL) / CHANGE_STEPS;
  return level < FIRST_STEP ? 0 : (level - FIRST_STEP) / (LAST_STEP - FIRST_STEP);
}

/**
 * Which of several levels is to be seen when their cells share one pixel: the one with the highest rank.
 * The hottest, or the greatest change in either direction; anything known before what is not known.
 */
export function levelRanks(kind: HeatScale['kind']): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, level) =>
    kind === 'heat' || level === UNKNOWN_LEVEL ? level : 1 + Math.abs(level - SAME_LEVEL),
  );
}

export const MIN_BRIGHTNESS = -6;
export const MAX_BRIGHTNESS = 6;

/** Moves a position, either side of zero, as if the top of the scale were `2^brightness` times smaller. */
export function brighten(position: number, brightness: number): number {
  if (brightness === 0) return position;
  const size = Math.abs(position);
  return Math.sign(position) * positionOf(valueAt(size, 1) * 2 ** brightness, 1);
}

/** Share of the legend that its first and last figure need for themselves. */
const CLEAR = 0.2;

/** Round values for the legend between zero and `top`, ascending. */
export function legendValues(top: number): number[] {
  const values = [0];
  const magnitude = 10 ** Math.floor(Math.log10(top));
  for (const step of [magnitude / 100, magnitude / 10, magnitude]) {
    if (positionOf(step, top) > CLEAR && positionOf(step, top) < 1 - CLEAR) values.push(step);
  }
  values.push(top);
  return values;
}

/** A round value either side of no change, and the ends, ascending. */
export function changeLegendValues(top: number): number[] {
  const round = 10 ** Math.floor(Math.log10(top / 20));
  return [-top, -round, 0, round, top];
}
