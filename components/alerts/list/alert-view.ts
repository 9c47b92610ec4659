import type { AlertCode, Severity } from '@/lib/protocol/alert';
import { ALERT_CODES, memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { AlertsParams } from '@/lib/protocol/queries';

/** Which states are listed; `open` = all that are not resolved. */
export const SHOWS = [
  'open',
  'firing',
  'pending',
  'acknowledged',
  'silenced',
  'resolved',
  'all',
] as const;
export type Show = (typeof SHOWS)[number];

export const GROUPINGS = ['none', 'class', 'holder', 'node', 'code'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Conditions on what an alert is about, by the names they have in the address. */
export const LABEL_FILTERS = ['namespace', 'class', 'owner', 'node'] as const;
export type LabelFilter = (typeof LABEL_FILTERS)[number];

/** What the page of alerts shows: all of it stands in its address. */
export interface AlertView extends Record<LabelFilter, string | null> {
  show: Show;
  severity: Severity | null;
  code: AlertCode | null;
  q: string | null;
  group: Grouping;
}

/** As many as the server tells at once. */
export const ALERT_LIMIT = 1000;
const LONGEST = 4000;

/** Reads the address; whatever does not make sense falls back to its default. */
export function readAlertView(get: (name: string) => string | null): AlertView {
  const text = (name: string): string | null => {
    const value = get(name);
    return value === null || value === '' || value.length > LONGEST ? null : value;
  };
  return {
    show: memberOf(SHOWS, get('state')) ?? 'open',
    severity: memberOf(SEVERITIES, get('severity')) ?? null,
    code: memberOf(ALERT_CODES, get('code')) ?? null,
    namespace: text('namespace'),
    class: text('class'),
    owner: text('owner'),
    node: text('node'),
    q: text('q'),
    group: memberOf(GROUPINGS, get('group')) ?? 'none',
  };
}

/** In the address: what removes every condition, and leaves the grouping. */
export const NO_FILTERS = {
  state: null,
  severity: null,
  code: null,
  namespace: null,
  class: null,
  owner: null,
  node: null,
  q: null,
} as const;

/** Whether something beyond the state narrows the list. */
export const isFiltered = (view: AlertView): boolean =>
  [view.severity, view.code, view.q, ...LABEL_FILTERS.map((name) => view[name])].some(
    (value) => value !== null,
  );

/** What the server is asked: everything but the grouping. */
export function alertQuery(view: AlertView): AlertsParams {
  const { show, severity, code, q } = view;
  return {
    ...(show !== 'all' && { state: show }),
    ...(code !== null && { code }),
    ...(severity !== null && { severity }),
    ...(view.namespace !== null && { namespace: view.namespace }),
    ...(view.class !== null && { class: view.class }),
    ...(view.owner !== null && { owner: view.owner }),
    ...(view.node !== null && { node: view.node }),
    ...(q !== null && { q }),
    limit: ALERT_LIMIT,
  };
}
