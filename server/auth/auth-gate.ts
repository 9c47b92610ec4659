import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AuditOutcome } from '@/lib/protocol/audit';
import { printableText } from '@/lib/protocol/bytes';
import { HTTP_STATUS, isCodedError, type ErrorCode } from '@/lib/protocol/errors';
import type { ServerContext } from '@/server/queries/query-context';
import type { Auth } from './auth';
import { onStore } from './on-store';

/** The only better-auth endpoints that exist from outside. */
const OPEN_PATHS = new Set([
  'POST /api/auth/sign-in/email',
  'POST /api/auth/sign-out',
  'GET /api/auth/get-session',
  'GET /api/auth/magic-link/verify',
  'POST /api/auth/change-password',
]);

const SignInBody = z.object({ email: z.string().max(320) });

/**
 * Answers under /api/auth. A refused sign-in is audited with the address that was tried, a change of a
 * password before and after: without its audit it is not made.
 * A store that cannot be used is answered with its sentence.
 */
export async function answerAuthRequest(
  auth: Auth,
  context: ServerContext,
  request: Request,
): Promise<Response> {
  try {
    return await onStore(context.store, () => answerOpenPath(auth, context, request));
  } catch (error) {
    if (!isCodedError(error)) throw error;
    const { code, message } = error;
    const body = { code, message, error: { code, message } };
    return Response.json(body, { status: HTTP_STATUS[code] });
  }
}

async function answerOpenPath(
  auth: Auth,
  { store, now }: ServerContext,
  request: Request,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const path = `${request.method} ${pathname}`;
  if (!OPEN_PATHS.has(path)) return refuse(404, 'NOT_FOUND', `There is no ${path}.`);
  if (![...searchParams].every(([name, value]) => !isCallback(name) || isOwnPath(value))) {
    return refuse(422, 'INVALID_INPUT', 'A sign-in link leads to a page of this console only.');
  }
  const audited = await auditedRequest(auth, request, path);
  const requestId = randomUUID();
  const log = async (outcome: AuditOutcome, code: ErrorCode | null): Promise<void> => {
    if (audited === null) return;
    const about = { target: null, db: null, key: null, reason: null, businessId: null };
    const states = { before: null, after: null };
    await store.appendAudit({
      at: now(),
      actor: audited.actor,
      action: audited.action,
      ...about,
      ...states,
      outcome,
      code,
      requestId,
    });
  };
  if (audited?.isChange) await log('requested', null);
  const response = await auth.auth.handler(request);
  if (response.status >= 500) await store.probe();
  if (response.status >= 400) await log('refused', codeOf(response.status));
  else if (audited?.isChange) await log('done', null);
  return response.status >= 400 ? await withErrorBody(response) : response;
}

const isCallback = (name: string): boolean => /callbackurl$/i.test(name);

/** Browsers read `//host` and `/\host` as another site; control characters are dropped before reading. */
const isOwnPath = (url: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(url);

const refuse = (status: number, code: ErrorCode, message: string): Response =>
  Response.json({ error: { code, message } }, { status });

const BetterAuthError = z.object({ message: z.string(), code: z.string().optional() });

/** better-auth's own error body, with what every other route of ours says of an error beside it. */
async function withErrorBody(response: Response): Promise<Response> {
  const body = BetterAuthError.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  );
  if (!body.success) {
    const message = 'The request could not be answered; the log of the console says why.';
    return response.status < 500 ? response : refuse(response.status, 'INTERNAL', message);
  }
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const error = { code: codeOf(response.status), message: body.data.message };
  return Response.json({ ...body.data, error }, { status: response.status, headers });
}

function codeOf(status: number): ErrorCode {
  if (status === 429) return 'TOO_MANY';
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'FORBIDDEN';
  return status < 500 ? 'INVALID_INPUT' : 'INTERNAL';
}

interface Audited {
  actor: string;
  action: string;
  /** Told before and after; of a sign-in only the refusal is told here, and `createAuth` tells the rest. */
  isChange: boolean;
}

async function auditedRequest(auth: Auth, request: Request, path: string): Promise<Audited | null> {
  if (path.endsWith('/sign-in/email')) {
    const actor = await triedAddress(request.clone());
    return { actor, action: 'session.sign-in', isChange: false };
  }
  if (!path.endsWith('/change-password')) return null;
  const session = await auth.auth.api.getSession({ headers: request.headers });
  return session && { actor: session.user.email, action: 'user.change-password', isChange: true };
}

async function triedAddress(request: Request): Promise<string> {
  const body = SignInBody.safeParse(await request.json().catch(() => null));
  return body.success ? printableText(body.data.email) : '(no address)';
}
