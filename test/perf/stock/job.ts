/** What the bench asks a process of buyers to do: buy single units until the stock is sold out. */
export interface Job {
  port: number;
  password: string;
  /** `segments`: our stock. `plain-lock`: one global lock around GET and DECRBY. */
  kind: 'segments' | 'plain-lock';
  name: string;
  /** Callers at once in this process; each waits for its answer before it asks again. */
  callers: number;
  /** Makes this process's order ids its own. */
  process: number;
}

export interface Bought {
  /** Acknowledged deductions. */
  sold: number;
  /** On the clock that all processes share (`test/perf/lock/clock.ts`). */
  startedAt: number;
  lastSoldAt: number;
  /** Of acknowledged deductions, from call to answer. */
  latencyMs: { p50: number; p99: number; max: number };
}

export type ToBuyers = { job: Job } | { go: true };
export type FromBuyers = { ready: true } | { bought: Bought } | { failed: string };
