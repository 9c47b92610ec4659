import type { TraceStop } from '@/lib/protocol/trace';

/** A PING that takes longer than this, or five times what it took before the trace, is slow. */
const SLOW_PING_MS = 20;
const SLOW_PING_FACTOR = 5;
/** Redis runs about so many commands a second on one core; to tell of them all would halve that. */
export const MOST_LINES_PER_SECOND = 200_000;
export const LATE_LOOP_MS = 250;
/** What Redis may hold back for us: more means that it tells faster than we read, and it grows without end. */
export const MOST_BUFFER_BYTES = 16 * 1024 * 1024;
/** One slow answer may be anything; two in a row are the trace's doing or reason enough. */
const IN_A_ROW = 2;

export interface GuardSample {
  /** The last PING, or how long the present one has waited if that is longer; null = none was answered yet. */
  pingMs: number | null;
  pingBaselineMs: number | null;
  linesPerSecond: number;
  /** How long the console's own loop was busy at most since the last turn. */
  loopLagMs: number;
  /** Null = may not be asked. */
  outputBufferBytes: number | null;
}

export interface TraceGuard {
  /** Called at each turn; why the trace must end now, or null. */
  judge: (sample: GuardSample) => TraceStop | null;
}

const slowPingMs = (baselineMs: number | null): number =>
  Math.max(SLOW_PING_MS, SLOW_PING_FACTOR * (baselineMs ?? 0));

export function createTraceGuard(): TraceGuard {
  let slow = 0;
  let late = 0;
  return {
    judge: ({ pingMs, pingBaselineMs, linesPerSecond, loopLagMs, outputBufferBytes }) => {
      // An answer lies waiting while our own loop is busy: that time is not Redis's.
      slow = (pingMs ?? 0) - loopLagMs > slowPingMs(pingBaselineMs) ? slow + 1 : 0;
      late = loopLagMs > LATE_LOOP_MS ? late + 1 : 0;
      if ((outputBufferBytes ?? 0) > MOST_BUFFER_BYTES) return 'buffer-grows';
      if (linesPerSecond > MOST_LINES_PER_SECOND) return 'too-many-commands';
      if (late >= IN_A_ROW) return 'console-slow';
      return slow >= IN_A_ROW ? 'redis-slow' : null;
    },
  };
}
