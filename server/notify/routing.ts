import type { Alert } from '@/lib/protocol/alert';
import { SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Route } from '@/lib/protocol/notify';

type Routed = Pick<Alert, 'severity' | 'labels'>;

function leadsFrom(route: Route, { severity, labels }: Routed): boolean {
  if (SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(route.least)) return false;
  if (route.namespaces.length === 0) return true;
  const namespace = labels?.namespace ?? null;
  return namespace !== null && route.namespaces.includes(namespace);
}

/** Ids of the channels that the routes lead to, each once, and which of them are told of the end as well. */
export function channelsFor(
  alert: Routed,
  routes: readonly Route[],
): { told: Set<string>; toldOfEnd: Set<string> } {
  const leading = routes.filter((route) => leadsFrom(route, alert));
  const idsOf = (some: readonly Route[]) => new Set(some.flatMap(({ channels }) => channels));
  return { told: idsOf(leading), toldOfEnd: idsOf(leading.filter(({ resolved }) => resolved)) };
}
