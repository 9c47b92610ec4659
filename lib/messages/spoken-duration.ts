import { roundTo } from './round-duration';

export type SpokenUnit = 'ms' | 's' | 'm' | 'min' | 'h' | 'd';
type Spoken = readonly [count: number, unit: SpokenUnit];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function pair(ms: number, large: Spoken, small: Spoken): Spoken[] {
  const whole = Math.floor(ms / large[0]);
  const rest = Math.floor((ms % large[0]) / small[0]);
  const said: Spoken = [whole, large[1]];
  return rest === 0 ? [said] : [said, [rest, small[1]]];
}

/**
 * A duration in milliseconds as it stands in a sentence: 340 ms, 1.5 s, 75 s, 9 m 12 s, 47 min, 3 h 20 m,
 * 2 d 4 h. Rounded half up to the last digit shown; negative counts as zero.
 */
export function spokenDuration(ms: number): Spoken[] {
  const elapsed = Math.max(0, Math.round(ms));
  if (elapsed < SECOND) return [[elapsed, 'ms']];
  const tenths = roundTo(elapsed, SECOND / 10);
  if (tenths < 10 * SECOND) return [[tenths / SECOND, 's']];
  const seconds = roundTo(elapsed, SECOND);
  if (seconds < 2 * MINUTE) return [[seconds / SECOND, 's']];
  if (seconds < 10 * MINUTE && seconds % MINUTE > 0) {
    return pair(seconds, [MINUTE, 'm'], [SECOND, 's']);
  }
  const minutes = roundTo(elapsed, MINUTE);
  if (minutes < HOUR) return [[minutes / MINUTE, 'min']];
  if (minutes < DAY) return pair(minutes, [HOUR, 'h'], [MINUTE, 'm']);
  return pair(roundTo(elapsed, HOUR), [DAY, 'd'], [HOUR, 'h']);
}
