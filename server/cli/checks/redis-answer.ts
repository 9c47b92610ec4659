import { asClause } from '@/server/redis/redis-error';

/** How ioredis names an error that Redis answered with, and those of a connection that was cut meanwhile. */
const NAMES = ['ReplyError', 'MaxRetriesPerRequestError', 'AbortError'];
const CUT = /Connection is closed|Command timed out|Stream isn't writeable/;

/** What Redis, or the connection to it, said no with; null for an error of our own. */
export function redisSaid(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return NAMES.includes(error.name) || CUT.test(error.message) ? asClause(error.message) : null;
}
