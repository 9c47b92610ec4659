import type { HeatMetric } from '@/lib/protocol/measures';

/** Level 0 is "not known"; level 1 is a known zero; 2…255 are the logarithmic steps above zero. */
export const UNKNOWN_LEVEL = 0;
export const ZERO_LEVEL = 1;
const FIRST_STEP = 2;
const LAST_STEP = 255;

/** The scale is linear below top ÷ 1,000 and logarithmic above: three decades are told apart. */
const DECADES = 1000;
const SPAN = Math.log1p(DECADES);

/**
 * The smallest top of the scale. A relative scale makes a quiet Redis look as hot as a busy one; below
 * these figures (in the unit of the metric) nothing deserves the hottest colour.
 */
const SMALLEST_TOP: Record<HeatMetric, number> = {
  'hold-share': 0.05,
  acquisitions: 6,
  waiters: 0.5,
  lost: 1,
  handoff: 5,
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

/** The byte that stands for a value; `null` = unknown. */
export function levelOf(value: number | null, top: number): number {
  if (value === null || Number.isNaN(value)) return UNKNOWN_LEVEL;
  if (value <= 0) return ZERO_LEVEL;
  return FIRST_STEP + Math.round(positionOf(value, top) * (LAST_STEP - FIRST_STEP));
}

/** Position 0…1 of a level on the scale. */
export function positionOfLevel(level: number): number {
  return level < FIRST_STEP ? 0 : (level - FIRST_STEP) / (LAST_STEP - FIRST_STEP);
}

export const MIN_BRIGHTNESS = -6;
export const MAX_BRIGHTNESS = 6;

/** Moves a position as if the top of the scale were `2^brightness` times smaller. */
export function brighten(position: number, brightness: number): number {
  if (brightness === 0) return position;
  return positionOf(valueAt(position, 1) * 2 ** brightness, 1);
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
