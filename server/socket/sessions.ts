import { said } from '@/lib/messages/in-english';
import type { IncomingMessage } from 'node:http';
import { CodedError } from '@/lib/protocol/errors';
import type { Actor } from '@/server/auth/actor';
import { toHeaders } from '@/server/auth/to-headers';

export interface SessionCheck {
  actorOf: (headers: Headers) => Promise<Actor | null>;
  /** False for a request that a page of another origin may have sent with our cookie. */
  isTrusted: (headers: Headers) => boolean;
}

/** The handshake's headers; a token given in `auth.token` counts as a bearer token. */
export function handshakeHeaders(request: IncomingMessage, auth: unknown): Headers {
  const headers = toHeaders(request);
  const token = typeof auth === 'object' && auth !== null && 'token' in auth ? auth.token : null;
  if (typeof token === 'string' && token !== '') headers.set('authorization', `Bearer ${token}`);
  return headers;
}

/** Who connects. Throws UNAUTHENTICATED, and FORBIDDEN for another origin. */
export async function authenticate(check: SessionCheck, headers: Headers): Promise<Actor> {
  if (!check.isTrusted(headers)) {
    throw new CodedError('FORBIDDEN', said('forbidden:other-site', {}));
  }
  const actor = await check.actorOf(headers);
  if (actor) return actor;
  throw new CodedError('UNAUTHENTICATED', said('unauthenticated:session-ended', {}));
}

/** True when what the actor may do is no longer what it was when the connection was made. */
export function hasChanged(before: Actor, now: Actor | null): boolean {
  if (!now || now.id !== before.id || now.role !== before.role) return true;
  return now.namespaces?.join('\n') !== before.namespaces?.join('\n');
}

/** Sockets of one browser share a credential, so that a pass asks once for all of them. */
export const credentialOf = (headers: Headers): string =>
  `${headers.get('authorization') ?? ''}\n${headers.get('cookie') ?? ''}`;
