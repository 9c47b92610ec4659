import { spokenDuration } from '@/lib/messages/spoken-duration';

/** `47 s`, `9 m 12 s`. */
export const durationText = (ms: number): string =>
  spokenDuration(ms)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');

/** `47s`, `9m12s`, for columns. */
export const shortDuration = (ms: number): string =>
  spokenDuration(ms)
    .map(([count, unit]) => `${count}${unit}`)
    .join('');

/** A moment in UTC, as a person reads it: `2026-06-12 08:30:01 UTC`. */
export const momentText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
