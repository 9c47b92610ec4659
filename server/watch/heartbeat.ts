import type { EventConnection } from '@/server/redis/event-connection';

/** Two beats in a row must find a reply this late: one alone may only mean that *we* were busy. */
const STALLED_AFTER_MS = 2_500;

/** Keeps a PING under way on the event connection and notices when Redis no longer answers. */
export interface Heartbeat {
  beat: () => void;
  reset: () => void;
}

export function createHeartbeat(connection: EventConnection, onStalled: () => void): Heartbeat {
  let wasLate = false;
  return {
    beat: () => {
      const late = connection.waitingMs > STALLED_AFTER_MS;
      if (late && wasLate) onStalled();
      else if (!late) connection.send(['PING']);
      wasLate = late;
    },
    reset: () => {
      wasLate = false;
    },
  };
}
