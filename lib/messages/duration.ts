import { roundTo } from './round-duration';

export type DurationUnit = 'ms' | 's' | 'm' | 'h' | 'd';
export interface DurationPart {
  n: string;
  unit: DurationUnit;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * At most two units of a duration in milliseconds, as a person would say it: 340 ms · 4.2 s · 59 s ·
 * 9 m 12 s · 3 h 5 m · 12 d 4 h. Rounded half up to the last digit shown; negative counts as zero.
 */
export function durationParts(durationMs: number): DurationPart[] {
  const ms = Math.max(0, Math.round(durationMs));
  if (ms < SECOND) return [{ n: String(ms), unit: 'ms' }];
  const tenths = roundTo(ms, SECOND / 10);
  if (tenths < 10 * SECOND) return [{ n: String(tenths / SECOND), unit: 's' }];
  const seconds = roundTo(ms, SECOND);
  if (seconds < MINUTE) return [whole(seconds, SECOND, 's')];
  if (seconds < HOUR) {
    return pair(whole(seconds, MINUTE, 'm'), whole(seconds % MINUTE, SECOND, 's'));
  }
  const minutes = roundTo(ms, MINUTE);
  if (minutes < DAY) return pair(whole(minutes, HOUR, 'h'), whole(minutes % HOUR, MINUTE, 'm'));
  const hours = roundTo(ms, HOUR);
  return pair(whole(hours, DAY, 'd'), whole(hours % DAY, HOUR, 'h'));
}

const whole = (ms: number, unitMs: number, unit: DurationUnit): DurationPart => ({
  n: String(Math.floor(ms / unitMs)),
  unit,
});

const pair = (large: DurationPart, small: DurationPart): DurationPart[] =>
  small.n === '0' ? [large] : [large, small];
