import { readSubject, subjectQuery, type Subject } from '@/components/charts/subject';
import {
  rangeQuery,
  readTimeRange,
  type RangeChoice,
  type TimeRange,
} from '@/components/charts/time-range';
import type { UrlParams } from '@/components/hooks';
import type { BlameParams } from '@/lib/protocol/queries';

export const BLAME_RANGES: RangeChoice = {
  offered: ['5m', '15m', '1h', '24h', '7d'],
  usual: '5m',
};

/** How the list adds up: each holder on each lock, or each holder over all of its locks. */
export const LIST_KINDS = ['lock', 'holder'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Whom waiting is put down to: processes, or their threads and tasks one by one. */
export const HOLDER_KINDS = ['process', 'holder'] as const;
export type HolderKind = (typeof HOLDER_KINDS)[number];

/** The page as its address describes it. */
export interface BlameView {
  range: TimeRange;
  subject: Subject;
  by: HolderKind;
  list: ListKind;
  /** Ids of the nodes that the picture is zoomed into, from the root on. */
  zoom: readonly string[];
}

/** The most that one query answers. */
const LIMIT = 1000;

export function readBlameView(get: UrlParams['get']): BlameView {
  return {
    range: readTimeRange(get, BLAME_RANGES),
    subject: readSubject(get),
    by: HOLDER_KINDS.find((kind) => kind === get('by')) ?? 'process',
    list: LIST_KINDS.find((kind) => kind === get('list')) ?? 'lock',
    zoom: readZoom(get('zoom')),
  };
}

export const blameQuery = ({ subject, range, by }: BlameView, now: number): BlameParams => ({
  ...subjectQuery(subject),
  ...rangeQuery(range, BLAME_RANGES, now),
  by,
  limit: LIMIT,
});

/** Ids hold any text: keys may contain every character. */
export const zoomText = (path: readonly string[]): string | null =>
  path.length === 0 ? null : JSON.stringify(path);

const isText = (value: unknown): value is string => typeof value === 'string';

function readZoom(text: string | null): readonly string[] {
  if (text === null) return [];
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) && path.every(isText) ? path : [];
  } catch {
    // Not an address that this page wrote: everything is shown.
    return [];
  }
}
