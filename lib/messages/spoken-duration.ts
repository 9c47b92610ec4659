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
 * 2 d 4 h. Rounded down, so that it never claims more than has passed; negative counts as zero.
 */
export function spokenDuration(ms: number): Spoken[] {
  const elapsed = Math.max(0, Math.floor(ms));
  if (elapsed < SECOND) return [[elapsed, 'ms']];
  if (elapsed < 10 * SECOND) return [[Math.floor(elapsed / 100) / 10, 's']];
  if (elapsed < 2 * MINUTE) return [[Math.floor(elapsed / SECOND), 's']];
  if (elapsed < 10 * MINUTE && elapsed % MINUTE >= SECOND) {
    return pair(elapsed, [MINUTE, 'm'], [SECOND, 's']);
  }
  if (elapsed < HOUR) return [[Math.floor(elapsed / MINUTE), 'min']];
  if (elapsed < DAY) return pair(elapsed, [HOUR, 'h'], [MINUTE, 'm']);
  return pair(elapsed, [DAY, 'd'], [HOUR, 'h']);
}
