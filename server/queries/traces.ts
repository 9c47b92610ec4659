import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { TraceParams, Trace, TracePage } from '@/lib/protocol/trace';
import { hasRole } from '@/server/auth/actor';
import type { QueryContext } from './query-context';

function requireAdmin({ actor }: QueryContext): void {
  if (hasRole(actor, 'admin')) return;
  throw new CodedError('FORBIDDEN', said('forbidden:traces', {}), { role: 'admin' });
}

/** The last traces, newest first. Throws FORBIDDEN. */
export function traces(context: QueryContext): TracePage {
  requireAdmin(context);
  return { items: context.traces.list() };
}

/** One trace, whether it runs or has ended. Throws FORBIDDEN, NOT_FOUND. */
export function trace(context: QueryContext, { id }: TraceParams): Trace {
  requireAdmin(context);
  return context.traces.get(id);
}
