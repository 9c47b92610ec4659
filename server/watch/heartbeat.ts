import type { EventConnection } from '@/server/redis/event-connection';
import { createRoundTrips, type RoundTrips } from './round-trips';

/** Two beats in a row must find it so: one alone may only mean that *we* were busy. */
const STALLED_AFTER_MS = 2_500;

/**
 * Keeps a PING under way on the event connection and notices when Redis no longer answers. An answer that is
 * late while events still arrive is a backlog: to cut it would lose what the backlog holds.
 */
export interface Heartbeat {
  beat: () => void;
  reset: () => void;
  /** How long its answers took. */
  roundTrips: Pick<RoundTrips, 'figures'>;
}

export function createHeartbeat(
  connection: Pick<EventConnection, 'waitingMs' | 'silentMs' | 'send'>,
  onStalled: () => void,
  /** Milliseconds of a clock that only goes forward. */
  clock: () => number = () => performance.now(),
): Heartbeat {
  let wasLate = false;
  const roundTrips = createRoundTrips();
  const ping = (): void => {
    const sentAt = clock();
    connection.send(['PING'], () => roundTrips.add(clock() - sentAt));
  };
  return {
    beat: () => {
      const { waitingMs, silentMs } = connection;
      const late = Math.min(waitingMs, silentMs) > STALLED_AFTER_MS;
      if (late && wasLate) onStalled();
      else if (waitingMs <= STALLED_AFTER_MS) ping();
      wasLate = late;
    },
    reset: () => {
      wasLate = false;
      roundTrips.reset();
    },
    roundTrips,
  };
}
