import type { Route } from '@/lib/protocol/notify';

/** A route as a form was filled from it, with the version of all routes then. */
export interface OpenedRoute {
  /** Null = a new one. */
  route: Route | null;
  version: number | null;
}

/** The routes as they are now. */
export interface PresentRoutes {
  routes: readonly Route[];
  routesVersion: number | null;
}

/** The version to save a route with: what others did to other routes is no conflict, as those are saved as they are now. */
export function versionToSave(
  { route, version }: OpenedRoute,
  { routes, routesVersion }: PresentRoutes,
): number | null {
  if (route === null) return routesVersion;
  const present = routes.find(({ id }) => id === route.id);
  return JSON.stringify(present) === JSON.stringify(route) ? routesVersion : version;
}
