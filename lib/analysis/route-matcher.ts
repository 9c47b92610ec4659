import type { Alert } from '@/lib/protocol/alert';
import { SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Route } from '@/lib/protocol/notify';
import { compileName } from './name-pattern';

export type Routed = Pick<Alert, 'severity' | 'labels'>;

/** Whether a route leads an alert anywhere. */
export function compileRoute({
  least,
  namespaces,
}: Pick<Route, 'least' | 'namespaces'>): (alert: Routed) => boolean {
  const fits = namespaces.map((pattern) => compileName(pattern));
  return ({ severity, labels }) =>
    SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least) &&
    (fits.length === 0 || fits.some((fit) => fit(labels?.namespace)));
}
