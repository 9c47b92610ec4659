import type { AdvicePage } from '@/lib/protocol/measures';

export type Silence = AdvicePage['silent'][number]['because'];

/**
 * Holds that one replay is made of, the newest: minutes of the hottest locks, hours of others. More would cost more than they
 * add: reading so many takes 100 ms of CPU, in small parts.
 */
export const MOST_HOLDS = 5_000;
/** Fewer waits than these say little of the next ones. */
export const LEAST_WAITS = 50;
/** Average waiters below which a class is not busy: 36 s of waiting in an hour. */
export const BUSY_WAITERS = 0.01;
/** Classes looked into, those with most waiting first. */
export const MOST_CLASSES = 12;

/** The replay of what was recorded, as it was, may differ from the record by so much of it. */
const REPRODUCED_WITHIN = 0.25;

/** Whether the replay of the record as it was comes out as it was recorded; both in waiter-milliseconds. */
export const isReproduced = (recorded: number, replayed: number): boolean =>
  Math.abs(replayed - recorded) <= REPRODUCED_WITHIN * recorded;
