import { namespaceFromAddress } from '@/components/charts/subject';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { HEAT_METRICS, memberOf } from '@/lib/protocol/closed-sets';
import type { HeatMetric } from '@/lib/protocol/measures';
import type { Earlier } from './heat-compare';
import { EARLIER } from './heat-compare';
import type { RampName } from './heat-ramps';
import { RAMP_NAMES } from './heat-ramps';
import { MAX_BRIGHTNESS, MIN_BRIGHTNESS } from './heat-scale';
import type { Subject } from './heat-tree';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const RANGES = {
  '30m': HOUR_MS / 2,
  '3h': 3 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES).filter((name): name is Range => name in RANGES);
export const GROUPS = ['class', 'lock', 'owner'] as const;
export type Group = (typeof GROUPS)[number];
export const ROW_LIMITS = [200, 1000, 5000] as const;
export const EARLIER_NAMES = Object.keys(EARLIER).filter(
  (name): name is Earlier => name in EARLIER,
);

/** A stretch of time or of rows; `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** The heatmap as its address describes it. With `fixed` it stands still; without it follows the present. */
export interface HeatView extends Subject {
  metric: HeatMetric;
  group: Group;
  range: Range;
  fixed: Span | null;
  /** The rows that are in sight, by their place; null = all. */
  rowSpan: Span | null;
  /** A moment of the past that the page is about: it is marked. */
  at: number | null;
  rows: number;
  brightness: number;
  ramp: RampName;
  /** What the map is compared with. */
  earlier: Earlier | null;
}

export type Address = (name: string) => string | null;

/** Reads the address; whatever does not make sense falls back to its default. */
export function readHeatView(get: Address): HeatView {
  const brightness = Number(get('brightness') ?? 0);
  const range = RANGE_NAMES.find((name) => name === get('range')) ?? DEFAULT_RANGE;
  const at = moment(get('at'));
  const group = GROUPS.find((name) => name === get('group')) ?? 'class';
  return {
    metric: memberOf(HEAT_METRICS, get('metric')) ?? 'hold-share',
    group,
    range,
    fixed:
      readSpan(get('from'), get('to')) ??
      (at === null ? null : { from: Math.max(1, at - RANGES[range]), to: at }),
    rowSpan: readRowSpan(get('rowSpan')),
    at,
    rows: ROW_LIMITS.find((limit) => String(limit) === get('rows')) ?? ROW_LIMITS[0],
    namespace: namespaceFromAddress(get('namespace')),
    class: get('class'),
    brightness: Number.isFinite(brightness)
      ? Math.min(MAX_BRIGHTNESS, Math.max(MIN_BRIGHTNESS, brightness))
      : 0,
    ramp: RAMP_NAMES.find((name) => name === get('ramp')) ?? RAMP_NAMES[0],
    earlier: EARLIER_NAMES.find((name) => name === get('vs')) ?? null,
  };
}

function moment(text: string | null): number | null {
  const at = Math.round(Number(text ?? Number.NaN));
  return Number.isSafeInteger(at) && at > 0 ? at : null;
}

function readSpan(fromText: string | null, toText: string | null): Span | null {
  const from = Math.round(Number(fromText ?? Number.NaN));
  const to = Math.round(Number(toText ?? Number.NaN));
  return from >= 0 && to > from && Number.isSafeInteger(to) ? { from, to } : null;
}

const ROW_SPAN = /^(\d{1,5}(?:\.\d{1,3})?)-(\d{1,5}(?:\.\d{1,3})?)$/;

function readRowSpan(text: string | null): Span | null {
  const [, from, to] = ROW_SPAN.exec(text ?? '') ?? [];
  const span = { from: Number(from), to: Number(to) };
  return span.to > span.from ? span : null;
}

/** Rows as the address has them: fractions of a row, as the wheel left them. */
export const writeRowSpan = ({ from, to }: Span): string =>
  `${Number(from.toFixed(3))}-${Number(to.toFixed(3))}`;

/** The parts of the address that say which part of history is in sight: a step back restores them together. */
export const PLACE_PARAMS = ['from', 'to', 'rowSpan', 'namespace', 'class', 'group'] as const;

/** The server's own default covers the last 30 minutes; longer ranges name their start. */
const DEFAULT_RANGE: Range = '30m';
/**
 * A moving start would open a new query every second: it moves in steps of this share of the range. It is never before
 * the range: of what is a little older than a day, or a week, history is kept in longer steps.
 */
const START_STEPS = 36;

/** The same stretch of history by the same rows as an answer shows, some time before. */
export function earlierQuery(
  query: HeatmapParams,
  shown: { from: number; to: number },
  shiftMs: number,
): HeatmapParams {
  return { ...query, from: Math.max(0, shown.from - shiftMs), to: Math.max(1, shown.to - shiftMs) };
}

/** The query of a view at the time `now` (epoch ms). */
export function heatQuery(view: HeatView, now: number): HeatmapParams {
  const base = {
    metric: view.metric,
    group: view.group,
    rows: view.rows,
    ...(view.namespace !== null && { namespace: view.namespace }),
    ...(view.class !== null && { class: view.class }),
    ...(view.rows > ROW_LIMITS[0] && { packed: true }),
  };
  if (view.fixed) return { ...base, ...view.fixed };
  if (view.range === DEFAULT_RANGE) return base;
  const step = RANGES[view.range] / START_STEPS;
  const from = Math.ceil((now - RANGES[view.range]) / step) * step;
  return from > 0 ? { ...base, from } : base;
}
