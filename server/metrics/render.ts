import { inTurns } from '@/server/queries/in-turns';
import type { ServerContext } from '@/server/queries/query-context';
import { formatFor } from './accept';
import { classFamilies } from './class-families';
import type { ClassTotals } from './class-totals';
import { consoleFamilies } from './console-families';
import { CONTENT_TYPES, expositionOf } from './exposition';
import { targetFamilies } from './target-families';

export interface MetricsAnswer {
  contentType: string;
  body: string;
}

/**
 * What a scrape gets, as Prometheus text or OpenMetrics, whichever the Accept header likes better. Bounded in size: no
 * lock and no owner is named, and only so many classes. Made in turns, so that nobody waits for it.
 */
export async function renderMetrics(
  context: ServerContext & { classTotals: ClassTotals },
  accept: string | null,
): Promise<MetricsAnswer> {
  const told = context.classTotals.tell(context.now());
  const format = formatFor(accept);
  const families = [
    ...classFamilies(context.targetId, told),
    ...targetFamilies(context, told.gaps),
    ...consoleFamilies(context),
  ];
  const parts: string[] = [];
  await inTurns(expositionOf(families, format), (part) => parts.push(part));
  return { contentType: CONTENT_TYPES[format], body: parts.join('') };
}
