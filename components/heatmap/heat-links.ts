import type { HeatRow } from './heat-layout';
import type { Group } from './heat-params';

const FILTER: Record<Group, string> = { class: 'class', lock: 'q', owner: 'owner' };

/** The list of locks behind a row. */
export function rowHref(group: Group, row: HeatRow | undefined): string {
  if (!row) return '/locks';
  return `/locks?${new URLSearchParams({ [FILTER[group]]: row.label }).toString()}`;
}
