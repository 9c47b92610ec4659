const WINDOW_TURNS = 4;

/** What came per second over the last turns of the clock. */
export interface TraceClock {
  bytes: (count: number) => void;
  lines: (count: number) => void;
  /** Ends a turn; `now` in ms of a clock that never jumps. */
  turn: (now: number) => void;
  readonly linesPerSecond: number;
  readonly bytesPerSecond: number;
  /** Over all turns. */
  readonly averages: { linesPerSecond: number; bytesPerSecond: number };
}

interface Turn {
  at: number;
  lines: number;
  bytes: number;
}

export function createTraceClock(startedAt: number): TraceClock {
  let lines = 0;
  let bytes = 0;
  const first: Turn = { at: startedAt, lines: 0, bytes: 0 };
  let turns: Turn[] = [first];
  const between = (from: Turn, to: Turn) => {
    const seconds = Math.max(1, to.at - from.at) / 1000;
    return {
      linesPerSecond: Math.round((to.lines - from.lines) / seconds),
      bytesPerSecond: Math.round((to.bytes - from.bytes) / seconds),
    };
  };
  const last = (): Turn => turns.at(-1) ?? first;
  const recent = () => between(turns[0] ?? first, last());
  return {
    bytes: (count) => void (bytes += count),
    lines: (count) => void (lines += count),
    turn: (now) => {
      turns = [...turns, { at: now, lines, bytes }].slice(-WINDOW_TURNS - 1);
    },
    get linesPerSecond() {
      return recent().linesPerSecond;
    },
    get bytesPerSecond() {
      return recent().bytesPerSecond;
    },
    get averages() {
      return between(first, last());
    },
  };
}
