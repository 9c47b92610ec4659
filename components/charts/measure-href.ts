import { subjectHref, type SubjectQuery } from './subject';
import { isRangeName, type Span } from './time-range';

/** The pages that show measures of a subject over a time. */
export type MeasurePage = 'heatmap' | 'waits' | 'blame';

/** What a page shows of time: a span that stands still, or one that ends now and has a name and a length there. */
export interface MeasureTime {
  fixed: Span | null;
  name: string;
  lengthMs: number;
}

/** Of the names of time ranges here, those that the heatmap has too. */
const NAMED_IN_HEATMAP: readonly string[] = ['6h', '24h', '7d'];

interface About {
  subject: SubjectQuery;
  time: MeasureTime;
  /** Epoch ms. */
  now: number;
}

/** The address of another page about the same; live where that page has a range of the same name. */
export function measureHref(page: MeasurePage, { subject, time, now }: About): string {
  const times = timeChanges(page, time, now);
  if (page !== 'heatmap') return subjectHref(`/${page}`, subject, times);
  // A map of a single lock has nothing to compare: its class is shown lock by lock.
  const { namespace, class: lockClass } = subject;
  return subjectHref(
    '/heatmap',
    {
      ...(namespace === undefined ? {} : { namespace }),
      ...(lockClass === undefined ? {} : { class: lockClass }),
    },
    { ...times, metric: 'waiters', ...(lockClass !== undefined && { group: 'lock' }) },
  );
}

function timeChanges(
  page: MeasurePage,
  { fixed, name, lengthMs }: MeasureTime,
  now: number,
): Record<string, string | number> {
  if (fixed) return { from: fixed.from, to: fixed.to };
  const isNamed = page === 'heatmap' ? NAMED_IN_HEATMAP.includes(name) : isRangeName(name);
  return isNamed ? { range: name } : { from: Math.max(1, now - lengthMs), to: Math.max(2, now) };
}
