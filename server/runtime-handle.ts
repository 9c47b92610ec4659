import type { UserView } from '@/lib/protocol/session';
import type { Actor } from '@/server/auth/actor';

/**
 * The only door from `app/` to the server. Next bundles its routes apart from the server's own bundle, so
 * a module imported by both exists twice; only `globalThis` is shared. Routes call {@link runtime} inside
 * their handlers, never at module scope.
 */
export interface RuntimeHandle {
  /** Who a request comes from: bearer token or session cookie; null when neither is valid. */
  actorOf: (headers: Headers) => Promise<Actor | null>;
  /** Whoever {@link actorOf} knows, and the bearer of the metrics token, which is good for nothing else. */
  mayReadMetrics: (headers: Headers) => Promise<boolean>;
  /** Refuses a cookie-authenticated write from another origin (CSRF). */
  isTrustedWrite: (headers: Headers) => boolean;
  /** Parses `params`, runs the query of that name, returns its result. Throws coded errors. */
  query: (name: string, params: unknown, actor: Actor) => Promise<unknown>;
  /** Parses `input`, runs the verb of that name through `run-action`. Throws coded errors. */
  act: (name: string, input: unknown, actor: Actor) => Promise<unknown>;
  /** better-auth's own endpoints under /api/auth. */
  authHandler: (request: Request) => Promise<Response>;
  users: {
    list: (actor: Actor) => Promise<UserView[]>;
    create: (actor: Actor, input: unknown) => Promise<UserView[]>;
    setPassword: (actor: Actor, headers: Headers, password: unknown) => Promise<void>;
  };
  readiness: () => { ready: boolean; reasons: string[] };
  /** What a scrape gets, in the format that its Accept header likes better. */
  metrics: (accept: string | null) => Promise<{ contentType: string; body: string }>;
  /** Streams the whole audit as JSON lines. Throws FORBIDDEN. */
  exportAudit: (actor: Actor) => AsyncIterable<string>;
}

const KEY = Symbol.for('lockscope.runtime');

// TypeScript does not let a symbol be declared on the global object; nobody else knows this one.
const shared = globalThis as typeof globalThis & { [KEY]?: RuntimeHandle };

export function setRuntime(handle: RuntimeHandle): void {
  shared[KEY] = handle;
}

/** Throws when called before the server has started (for instance while Next builds). */
export function runtime(): RuntimeHandle {
  const handle = shared[KEY];
  if (!handle) throw new Error('the Lockscope server is not running in this process');
  return handle;
}
