import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ServerContext } from '@/server/queries/query-context';
import type { Auth } from './auth';

/** The only better-auth endpoints that exist from outside. */
const OPEN_PATHS = new Set([
  'POST /api/auth/sign-in/email',
  'POST /api/auth/sign-out',
  'GET /api/auth/get-session',
  'GET /api/auth/magic-link/verify',
  'POST /api/auth/change-password',
]);

const SignInBody = z.object({ email: z.string().max(320) });

/** Answers under /api/auth; a refused sign-in is audited with the address that was tried. */
export async function answerAuthRequest(
  auth: Auth,
  { store, now }: ServerContext,
  request: Request,
): Promise<Response> {
  const path = `${request.method} ${new URL(request.url).pathname}`;
  if (!OPEN_PATHS.has(path)) {
    return Response.json(
      { error: { code: 'NOT_FOUND', message: `There is no ${path}.` } },
      { status: 404 },
    );
  }
  const tried = path.endsWith('/sign-in/email') ? await triedAddress(request.clone()) : null;
  const response = await auth.auth.handler(request);
  if (tried !== null && response.status >= 400) {
    await store.appendAudit({
      at: now(),
      actor: tried,
      action: 'session.sign-in',
      target: null,
      db: null,
      key: null,
      reason: null,
      outcome: 'refused',
      code: response.status === 429 ? 'TOO_MANY' : 'UNAUTHENTICATED',
      before: null,
      after: null,
      requestId: randomUUID(),
      businessId: null,
    });
  }
  return response;
}

async function triedAddress(request: Request): Promise<string> {
  const body = SignInBody.safeParse(await request.json().catch(() => null));
  return body.success ? body.data.email : '(no address)';
}
