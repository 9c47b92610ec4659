'use client';

import { useFormatter } from 'use-intl';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** "12 kB". */
export function useByteText(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
    return format.number(bytes / 1000 ** power, {
      style: 'unit',
      unit: UNITS[power],
      // The short form of the smallest unit is its name, which then wants its plural.
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumSignificantDigits: 3,
    });
  };
}

/** "0.12 ms": below what durations elsewhere are told in. */
export function useMilliText(): (ms: number) => string {
  const format = useFormatter();
  return (ms) =>
    format.number(ms, {
      style: 'unit',
      unit: 'millisecond',
      unitDisplay: 'short',
      maximumSignificantDigits: 3,
    });
}
