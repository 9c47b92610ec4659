/** One timer per interval however many listen; none while nobody does. */
export interface TickClock {
  /** The time of the last tick of that interval, epoch ms. */
  read: (intervalMs: number) => number;
  subscribe: (intervalMs: number, listener: () => void) => () => void;
}

interface Beat {
  at: number;
  timer: ReturnType<typeof setInterval>;
  listeners: Set<() => void>;
}

/** `now`: epoch ms by the clock that the listeners should see. */
export function createTickClock(now: () => number): TickClock {
  const beats = new Map<number, Beat>();
  /** What was answered for an interval that does not tick yet: an answer must not change by itself. */
  const still = new Map<number, number>();

  const start = (intervalMs: number): Beat => {
    const beat: Beat = {
      at: now(),
      listeners: new Set(),
      timer: setInterval(() => {
        beat.at = now();
        for (const listener of beat.listeners) listener();
      }, intervalMs),
    };
    beats.set(intervalMs, beat);
    still.delete(intervalMs);
    return beat;
  };

  return {
    read: (intervalMs) => {
      const at = beats.get(intervalMs)?.at ?? still.get(intervalMs) ?? now();
      if (!beats.has(intervalMs)) still.set(intervalMs, at);
      return at;
    },
    subscribe: (intervalMs, listener) => {
      const beat = beats.get(intervalMs) ?? start(intervalMs);
      beat.listeners.add(listener);
      return () => {
        beat.listeners.delete(listener);
        if (beat.listeners.size > 0) return;
        clearInterval(beat.timer);
        beats.delete(intervalMs);
      };
    },
  };
}

/** A clock that shows the same time for ever. */
export const stoppedAt = (at: number): TickClock => ({
  read: () => at,
  subscribe: () => () => undefined,
});
