import type { Series } from '@/lib/protocol/measures';

export interface Activity {
  points: Series;
  /** Runs of steps of which nothing is known. */
  unknown: { from: number; to: number }[];
  highest: number;
  latest: number | null;
  /** Mean of the known steps; null when none is. */
  average: number | null;
}

/** Prepares a series of counts per step: what is known, where it is not, and its extent. */
export function activitySeries(series: Series): Activity {
  const unknown: Activity['unknown'] = [];
  let highest = 0;
  let sum = 0;
  let known = 0;
  series.forEach((point, index) => {
    if (point.value !== null) {
      highest = Math.max(highest, point.value);
      sum += point.value;
      known++;
      return;
    }
    const last = unknown.at(-1);
    const until = series[index + 1]?.at ?? point.at;
    if (last && last.to === point.at) last.to = until;
    else unknown.push({ from: point.at, to: until });
  });
  return {
    points: series,
    unknown: unknown.filter((run) => run.to > run.from),
    highest,
    latest: series.findLast((point) => point.value !== null)?.value ?? null,
    average: known === 0 ? null : sum / known,
  };
}
