import { NOT_SENT } from '@/lib/live/unanswered';
import { errorBodyOf, errorFrom, isCodedError } from '@/lib/protocol/errors';
import type { NotifyPage, Route } from '@/lib/protocol/notify';

/** The routes as they are now. */
export interface PresentRoutes {
  routes: readonly Route[];
  routesVersion: number | null;
}

/** Asks the console: the page may not have been told yet what others set. Throws a CodedError. */
export async function presentRoutes(): Promise<PresentRoutes> {
  const answer = await fetch('/api/v1/notify', { cache: 'no-store' }).catch(() => null);
  if (!answer) throw errorFrom(NOT_SENT);
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok) return pageOf(content);
  throw errorFrom(errorBodyOf(content)?.error ?? NOT_SENT);
}

/** The server answers with the result of the query's own schema. */
const pageOf = (content: unknown): NotifyPage => content as NotifyPage;

/**
 * Does what `save` does, and again where it is refused because of what this console had not heard of yet: that may be
 * about other routes.
 */
export async function againOnConflict<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isCodedError(error) || error.code !== 'CONFLICT') throw error;
    return await save();
  }
}

/** Two routes of the same id that say the same. */
export const sameRoute = (one: Route | undefined, other: Route): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
