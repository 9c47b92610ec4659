/** The last moment a `Date` can name (ECMAScript: 8.64e15 ms after the epoch). */
export const LAST_MOMENT = 8_640_000_000_000_000;

/** Whether a number is a moment that a `Date` can name. */
export const isMoment = (at: number): boolean => Math.abs(at) <= LAST_MOMENT;

/** From here on a span of time (ms) is without end for all practical purposes: a hundred years. */
export const AGES_MS = 100 * 365.25 * 24 * 60 * 60 * 1000;

/**
 * A number from outside as epoch milliseconds that every `Date` and JSON can carry: whole, not negative, and
 * not beyond {@link LAST_MOMENT}. Redis keeps times to live of centuries, and scores of any size.
 */
export const toMoment = (ms: number): number =>
  Number.isNaN(ms) ? 0 : Math.round(Math.min(LAST_MOMENT, Math.max(0, ms)));
