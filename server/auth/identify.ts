import { createHash, timingSafeEqual } from 'node:crypto';
import { Role } from '@/lib/protocol/actions';
import type { Actor } from './actor';
import type { Store } from '@/server/store/store-contract';
import type { Auth } from './auth';
import { onStore } from './on-store';

/** The token of an Authorization header of that scheme; undefined = there is none. */
const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];

/** Compares without telling by its time how much of it is right. */
function createIsToken(token: string | null): (text: string) => boolean {
  if (token === null) return () => false;
  const expected = digest(token);
  return (text) => timingSafeEqual(digest(text), expected);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The session of a cookie. A store that can be read and not written is enough: it is not prolonged then. */
async function sessionOf({ auth }: Auth, headers: Headers) {
  try {
    return await auth.api.getSession({ headers });
  } catch {
    // Either reading fails too, and says why, or only the prolonging did.
    return await auth.api.getSession({ headers, query: { disableRefresh: true } });
  }
}

/**
 * Who a request comes from; the identification rejects with STORE_UNAVAILABLE. A bearer token that is present must be right; it never falls back to a
 * cookie, so that automation with a stale token fails instead of acting as somebody else.
 */
export function createIdentify(auth: Auth, store: Store, adminToken: string | null) {
  const isAdminToken = createIsToken(adminToken);
  return async (headers: Headers): Promise<Actor | null> => {
    const bearer = bearerOf(headers);
    if (bearer !== undefined) {
      if (!isAdminToken(bearer)) return null;
      return {
        id: 'token:admin',
        name: 'token:admin',
        role: 'admin',
        kind: 'token',
        namespaces: null,
      };
    }
    if (!headers.has('cookie')) return null;
    const session = await onStore(store, () => sessionOf(auth, headers));
    if (!session) return null;
    const role = Role.safeParse(session.user.role);
    return {
      id: session.user.id,
      name: session.user.email,
      role: role.success ? role.data : 'viewer',
      kind: 'user',
      namespaces: null,
    };
  };
}

/**
 * Whether a request may read the metrics: that of anybody who is known, and one with the metrics token. That token
 * makes nobody known, so that it opens nothing else.
 */
export function createMayReadMetrics(
  identify: (headers: Headers) => Promise<Actor | null>,
  metricsToken: string | null,
) {
  const isMetricsToken = createIsToken(metricsToken);
  return async (headers: Headers): Promise<boolean> => {
    const bearer = bearerOf(headers);
    if (bearer !== undefined && isMetricsToken(bearer)) return true;
    return (await identify(headers)) !== null;
  };
}

/**
 * True for requests that a foreign page cannot have sent with our cookie: those with a bearer token, those
 * whose `Origin` (or, without one, `Sec-Fetch-Site`) is our own, and those of programs, which send neither
 * of the two, as long as they bring no cookie either.
 */
export function createIsTrusted(publicUrl: string) {
  return (headers: Headers): boolean => {
    if (/^Bearer /i.test(headers.get('authorization') ?? '')) return true;
    const origin = headers.get('origin');
    if (origin === null) {
      const site = headers.get('sec-fetch-site');
      return site === null ? !headers.has('cookie') : site === 'same-origin';
    }
    if (origin === publicUrl) return true;
    return URL.canParse(origin) && new URL(origin).host === headers.get('host');
  };
}
