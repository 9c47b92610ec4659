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
 * 9 m 12 s · 3 h 5 m · 12 d 4 h. Rounds down, so that a lease is never told longer than it is.
 */
export function durationParts(durationMs: number): DurationPart[] {
  const ms = Math.max(0, Math.floor(durationMs));
  if (ms < SECOND) return [{ n: String(ms), unit: 'ms' }];
  if (ms < 10 * SECOND) {
    return [{ n: (Math.floor(ms / 100) / 10).toFixed(1).replace(/\.0$/, ''), unit: 's' }];
  }
  if (ms < MINUTE) return [whole(ms, SECOND, 's')];
  if (ms < HOUR) return pair(whole(ms, MINUTE, 'm'), whole(ms % MINUTE, SECOND, 's'));
  if (ms < DAY) return pair(whole(ms, HOUR, 'h'), whole(ms % HOUR, MINUTE, 'm'));
  return pair(whole(ms, DAY, 'd'), whole(ms % DAY, HOUR, 'h'));
}

const whole = (ms: number, unitMs: number, unit: DurationUnit): DurationPart => ({
  n: String(Math.floor(ms / unitMs)),
  unit,
});

const pair = (large: DurationPart, small: DurationPart): DurationPart[] =>
  small.n === '0' ? [large] : [large, small];
