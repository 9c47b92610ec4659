import { said } from '@/lib/messages/in-english';
import { runAction } from './actions/run-action';
import type { ActsUnderWay } from './acts-under-way';
import type { Auth } from './auth/auth';
import { answerAuthRequest } from './auth/auth-gate';
import { hasRole, type Actor } from './auth/actor';
import { onStore } from './auth/on-store';
import type { createUsers } from './auth/users';
import type { ClassTotals } from './metrics/class-totals';
import { renderMetrics } from './metrics/render';
import { runQuery } from './queries';
import { createFewAtOnce } from './queries/few-at-once';
import type { ServerContext } from './queries/query-context';
import type { RuntimeHandle } from './runtime-handle';
import { CodedError } from '@/lib/protocol/errors';

export interface HandleParts {
  context: ServerContext;
  classTotals: ClassTotals;
  auth: Auth;
  users: ReturnType<typeof createUsers>;
  identify: (headers: Headers) => Promise<Actor | null>;
  mayReadMetrics: (headers: Headers) => Promise<boolean>;
  isTrusted: (headers: Headers) => boolean;
  acts: ActsUnderWay;
}

/** What routes and sockets may ask of the server: queries, acts, sign-in. */
export function createHandle(parts: HandleParts): RuntimeHandle {
  const { context, classTotals, auth, users, identify, mayReadMetrics, isTrusted, acts } = parts;
  const fewAtOnce = createFewAtOnce();
  return {
    actorOf: identify,
    mayReadMetrics,
    isTrustedWrite: isTrusted,
    query: (name, params, actor) =>
      fewAtOnce({ query: name, by: actor.id }, () => runQuery({ ...context, actor }, name, params)),
    act: (name, input, actor) => acts.run(() => runAction({ ...context, actor }, name, input)),
    authHandler: (request) => answerAuthRequest(auth, context, request),
    users: {
      list: (actor) => onStore(context.store, () => users.list(actor)),
      create: (actor, input) => onStore(context.store, () => users.create(actor, input)),
      setPassword: (actor, headers, password) =>
        onStore(context.store, () => users.setPassword(actor, headers, password)),
    },
    readiness: () => {
      const reasons: string[] = [];
      if (!context.store.health.ok) reasons.push(context.store.health.problem ?? 'store broken');
      if (!context.watch.ready) reasons.push('the first sweep has not finished');
      if (!context.table.connected) reasons.push('not connected to Redis');
      return { ready: reasons.length === 0, reasons };
    },
    metrics: (accept) => renderMetrics({ ...context, classTotals }, accept),
    exportAudit: (actor) => exportAudit(context, actor),
  };
}

const EXPORT_PAGE = 500;

async function* exportAudit(context: ServerContext, actor: Actor): AsyncIterable<string> {
  if (!hasRole(actor, 'viewer')) throw new CodedError('FORBIDDEN', said('forbidden:audit', {}));
  let cursor: string | null | undefined;
  do {
    const page = await context.store.audit({
      limit: EXPORT_PAGE,
      ...(cursor ? { cursor } : {}),
    });
    for (const entry of page.items) yield `${JSON.stringify(entry)}\n`;
    cursor = page.cursor;
  } while (cursor);
}
