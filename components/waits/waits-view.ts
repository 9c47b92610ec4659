import type { UrlParams } from '@/components/hooks';
import { DISTRIBUTION_MODES, type DistributionMode } from '@/components/charts/distribution-series';
import { readSubject, subjectQuery, type Subject } from '@/components/charts/subject';
import {
  RANGE_MS,
  rangeQuery,
  readTimeRange,
  type RangeChoice,
  type Span,
  type TimeRange,
} from '@/components/charts/time-range';
import { memberOf } from '@/lib/protocol/closed-sets';
import type { WaitsParams } from '@/lib/protocol/queries';

export const WAITS_RANGES: RangeChoice = {
  offered: ['15m', '1h', '6h', '24h', '7d'],
  usual: '1h',
};

/** The page as its address describes it. */
export interface WaitsView {
  range: TimeRange;
  subject: Subject;
  /** A moment of which before and after are compared; epoch ms. */
  marker: number | null;
  bars: DistributionMode;
}

export function readWaitsView(get: UrlParams['get']): WaitsView {
  const marker = Number(get('marker'));
  return {
    range: readTimeRange(get, WAITS_RANGES),
    subject: readSubject(get),
    marker: Number.isSafeInteger(marker) && marker > 0 ? marker : null,
    bars: memberOf(DISTRIBUTION_MODES, get('bars')) ?? 'share',
  };
}

/** About what the answer will cover; the server cuts it to whole steps. */
const spanOf = ({ fixed, name }: TimeRange, now: number): Span =>
  fixed ?? { from: now - RANGE_MS[name], to: now };

function hasMarkerInRange({ marker, range }: WaitsView, now: number): boolean {
  const { from, to } = spanOf(range, now);
  return marker !== null && marker > from && marker < to;
}

export function waitsQuery(view: WaitsView, now: number): WaitsParams {
  const { marker } = view;
  return {
    ...subjectQuery(view.subject),
    ...rangeQuery(view.range, WAITS_RANGES, now),
    ...(marker !== null && hasMarkerInRange(view, now) ? { marker } : {}),
  };
}
