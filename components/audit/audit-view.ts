import type { AuditParams } from '@/lib/protocol/queries';

const PAGE = 100;
/** The most that one query answers; beyond it pages follow one another. */
export const MOST = 1000;

export interface AuditView {
  actor: string;
  key: string;
  /** As `datetime-local` writes it: local time without a zone. */
  from: string;
  to: string;
  limit: number;
  /** Set on a page of older entries. */
  cursor: string | null;
}

/** Reads the address; whatever does not make sense falls back to its default. */
export function readAuditView(get: (name: string) => string | null): AuditView {
  const limit = Number(get('limit'));
  return {
    actor: get('actor') ?? '',
    key: get('key') ?? '',
    from: localTime(get('from')) === null ? '' : (get('from') ?? ''),
    to: localTime(get('to')) === null ? '' : (get('to') ?? ''),
    limit: Number.isInteger(limit) && limit > PAGE ? Math.min(MOST, limit) : PAGE,
    cursor: get('cursor'),
  };
}

function localTime(text: string | null): number | null {
  if (text === null || text === '') return null;
  const at = new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}

export function auditQuery(view: AuditView): AuditParams {
  const from = localTime(view.from);
  const to = localTime(view.to);
  return {
    limit: view.limit,
    ...(view.actor === '' ? {} : { actor: view.actor }),
    ...(view.key === '' ? {} : { key: view.key }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(view.cursor === null ? {} : { cursor: view.cursor }),
  };
}

export const isFiltered = (view: AuditView): boolean =>
  view.actor !== '' || view.key !== '' || view.from !== '' || view.to !== '';

/** The address changes that lead to more entries than are shown. */
export function moreOf(view: AuditView, cursor: string): Record<string, string | number | null> {
  if (view.limit < MOST) return { limit: Math.min(MOST, view.limit + PAGE) };
  return { limit: PAGE, cursor };
}
