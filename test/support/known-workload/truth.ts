import type { Played } from './play';
import type { Plan } from './plan';

export interface TrueWait {
  class: string;
  lock: string;
  owner: string;
  from: number;
  to: number;
  outcome: 'granted' | 'left';
}

export interface TrueHold {
  class: string;
  lock: string;
  owner: string;
  from: number;
  to: number;
}

/** Every wait and hold that was, from what Redis did. */
export function truthOf(
  plan: Plan,
  played: readonly Played[],
): { waits: TrueWait[]; holds: TrueHold[] } {
  const began = new Map<string, number>();
  const waits: TrueWait[] = [];
  const holds: TrueHold[] = [];
  for (const { at, kind, class: i, lock, owner } of played) {
    const name = { class: plan.classes[i] ?? '', lock, owner };
    const [waiting, holding] = [`wait ${lock} ${owner}`, `hold ${lock} ${owner}`];
    if (kind === 'join') began.set(waiting, at);
    if (kind === 'grant' || kind === 'leave') {
      const outcome = kind === 'grant' ? 'granted' : 'left';
      waits.push({ ...name, from: began.get(waiting) ?? NaN, to: at, outcome });
    }
    if (kind === 'take' || kind === 'grant') began.set(holding, at);
    if (kind === 'release') holds.push({ ...name, from: began.get(holding) ?? NaN, to: at });
  }
  return { waits, holds };
}

/** Nearest rank, as the console tells percentiles. */
export function percentile(durations: readonly number[], q: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? NaN;
}

/** One wait more or less of a thousand is another rank, and where waits are few another wait. */
const RANK = 0.001;

/**
 * How far `shown` is from the durations at `q`, as a share of them; `lateMs` of it is forgiven, for Redis tells no times
 * and whoever listens is late by as much.
 */
export function errorAt(
  { shown, q, lateMs }: { shown: number | null; q: number; lateMs: number },
  durations: readonly number[],
): number {
  const [least, most] = [percentile(durations, q - RANK), percentile(durations, q + RANK)];
  const value = shown ?? NaN;
  const off = value < least ? least - value : Math.max(0, value - most);
  return Math.max(0, off - lateMs) / (value < least ? least : most);
}

/** Milliseconds of the spans within [from, to), added up. */
export function msWithin(
  spans: readonly { from: number; to: number }[],
  from: number,
  to: number,
): number {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)),
    0,
  );
}
