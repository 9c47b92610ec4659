import type { NamePattern } from '@/lib/protocol/name-pattern';
import type { Route } from '@/lib/protocol/notify';
import { sameRoute, type PresentRoutes } from './present-routes';

/** What stands in the form of a route. */
export interface RouteDraft {
  least: Route['least'];
  /** One a line. */
  names: string;
  patterns: string;
  channels: readonly string[];
  resolved: boolean;
}

/** A route as a form was filled from it, with the version of all routes then. */
export interface OpenedRoute {
  /** Null = a new one. */
  route: Route | null;
  version: number | null;
}

export function draftOf(route: Route | null): RouteDraft {
  const { least = 'warning', channels = [], resolved = true, namespaces = [] } = route ?? {};
  const lines = (of: (name: NamePattern) => string | undefined): string =>
    namespaces.flatMap((name) => of(name) ?? []).join('\n');
  return {
    ...{ least, channels, resolved },
    names: lines((name) => (typeof name === 'string' ? name : undefined)),
    patterns: lines((name) => (typeof name === 'string' ? undefined : name.glob)),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const namespacesOf = ({ names, patterns }: RouteDraft): NamePattern[] => [
  ...linesOf(names),
  ...linesOf(patterns).map((glob) => ({ glob })),
];

/** An id that no other route has. */
const freeId = (routes: readonly Route[]): string => {
  const numbers = routes.map(({ id }) => Number(id.replace('route-', '')) || 0);
  return `route-${Math.max(0, ...numbers) + 1}`;
};

/** All routes with what the form says in place of the one of that id; null = a new one. */
export function routesWith(
  draft: RouteDraft,
  id: string | null,
  routes: readonly Route[],
): Route[] {
  const saved: Route = {
    ...{ id: id ?? freeId(routes), least: draft.least, namespaces: namespacesOf(draft) },
    ...{ channels: [...draft.channels], resolved: draft.resolved },
  };
  const isThere = routes.some((each) => each.id === saved.id);
  return isThere ? routes.map((each) => (each.id === saved.id ? saved : each)) : [...routes, saved];
}

/**
 * The version to save with: what others did to other routes is no conflict, as those are saved as they are now. Of a
 * route that another one changed or removed it is that of the form, so that the console refuses and says who did.
 */
export function versionToSave(
  { route, version }: OpenedRoute,
  { routes, routesVersion }: PresentRoutes,
): number | null {
  if (route === null) return routesVersion;
  const there = routes.find(({ id }) => id === route.id);
  return sameRoute(there, route) ? routesVersion : version;
}
