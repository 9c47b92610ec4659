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
