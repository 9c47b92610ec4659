import { compileRoute, type Routed } from '@/lib/analysis/route-matcher';
import type { Route } from '@/lib/protocol/notify';

/** Ids of the channels that routes lead an alert to, each once, and which of them are told of the end as well. */
export type Routing = (alert: Routed) => { told: Set<string>; toldOfEnd: Set<string> };

export function compileRouting(routes: readonly Route[]): Routing {
  const compiled = routes.map((route) => ({ route, leads: compileRoute(route) }));
  return (alert) => {
    const leading = compiled.flatMap(({ route, leads }) => (leads(alert) ? [route] : []));
    const idsOf = (some: readonly Route[]) => new Set(some.flatMap(({ channels }) => channels));
    return { told: idsOf(leading), toldOfEnd: idsOf(leading.filter(({ resolved }) => resolved)) };
  };
}
