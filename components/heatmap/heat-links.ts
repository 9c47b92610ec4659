import type { HeatRow } from '@/lib/protocol/measures';
import type { Group } from './heat-params';

const FILTER: Record<Group, string> = { class: 'class', lock: 'q', owner: 'owner' };

/** The list of locks behind a row; of `others`, that of the class or namespace whose rest they are. */
export function rowHref(group: Group, row: HeatRow | undefined): string {
  if (!row) return '/locks';
  if (row.kind !== 'others') return locksHref({ [FILTER[group]]: row.lock?.key ?? row.label });
  const [namespace = '', name] = row.path.slice(0, -1);
  return locksHref(name === undefined ? { namespace } : { class: name });
}

const locksHref = (filter: Record<string, string>): string =>
  `/locks?${new URLSearchParams(filter).toString()}`;

/** The waits of a row's class in a span of time; null for a row that is of no single class. */
export function waitsHref(row: HeatRow, span: { from: number; to: number }): string | null {
  const [namespace, name] = row.kind === 'others' ? row.path.slice(0, -1) : row.path;
  if (namespace === undefined || name === undefined) return null;
  const params = { namespace, class: name, from: String(span.from), to: String(span.to) };
  return `/waits?${new URLSearchParams(params).toString()}`;
}
