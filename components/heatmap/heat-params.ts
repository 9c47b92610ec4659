import type { HeatmapParams } from '@/lib/protocol/queries';
import { HEAT_METRICS, memberOf } from '@/lib/protocol/closed-sets';
import type { HeatMetric } from '@/lib/protocol/measures';
import { MAX_BRIGHTNESS, MIN_BRIGHTNESS } from './heat-scale';

export const RANGES = { '30m': 30 * 60_000, '3h': 3 * 3_600_000, '24h': 24 * 3_600_000 } as const;
export type Range = keyof typeof RANGES;
export const GROUPS = ['class', 'lock', 'owner'] as const;
export type Group = (typeof GROUPS)[number];
export const ROW_LIMITS = [200, 1000, 5000] as const;

/** The heatmap as its address describes it. With `fixed` it stands still; without it follows the present. */
export interface HeatView {
  metric: HeatMetric;
  group: Group;
  range: Range;
  fixed: { from: number; to: number } | null;
  rows: number;
  brightness: number;
}

/** Reads the address; whatever does not make sense falls back to its default. */
export function readHeatView(get: (name: string) => string | null): HeatView {
  const from = Number(get('from'));
  const to = Number(get('to'));
  const brightness = Number(get('brightness') ?? 0);
  return {
    metric: memberOf(HEAT_METRICS, get('metric')) ?? 'hold-share',
    group: GROUPS.find((group) => group === get('group')) ?? 'class',
    range: isRange(get('range')) ?? '30m',
    fixed: from > 0 && to > from ? { from: Math.round(from), to: Math.round(to) } : null,
    rows: ROW_LIMITS.find((limit) => String(limit) === get('rows')) ?? ROW_LIMITS[0],
    brightness: Number.isFinite(brightness)
      ? Math.min(MAX_BRIGHTNESS, Math.max(MIN_BRIGHTNESS, brightness))
      : 0,
  };
}

const isRange = (text: string | null): Range | null =>
  text === '30m' || text === '3h' || text === '24h' ? text : null;

/** The server's own default covers the last 30 minutes; longer ranges name their start. */
const DEFAULT_RANGE: Range = '30m';
/** A moving start would open a new query every second: it moves in steps of this share of the range. */
const START_STEPS = 36;

/** The query of a view at the time `now` (epoch ms). */
export function heatQuery(view: HeatView, now: number): HeatmapParams {
  const base = { metric: view.metric, group: view.group, rows: view.rows };
  if (view.fixed) return { ...base, ...view.fixed };
  if (view.range === DEFAULT_RANGE) return base;
  const step = RANGES[view.range] / START_STEPS;
  const from = Math.floor((now - RANGES[view.range]) / step) * step;
  return from > 0 ? { ...base, from } : base;
}
