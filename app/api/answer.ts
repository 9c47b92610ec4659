import { randomUUID } from 'node:crypto';
import { CodedError, HTTP_STATUS, isCodedError, type ErrorBody } from '@/lib/protocol/errors';
import type { Actor } from '@/server/auth/actor';
import { runtime, type RuntimeHandle } from '@/server/runtime-handle';

/** Coded errors with their status and details, any other as INTERNAL with an id that the log has too. */
export function toErrorResponse(error: unknown): Response {
  if (isCodedError(error)) {
    const { code, message, details } = error;
    const body: ErrorBody = { error: { code, message, ...(details ? { details } : {}) } };
    return Response.json(body, { status: HTTP_STATUS[code] });
  }
  const id = randomUUID();
  console.error(`request ${id} failed:`, error);
  const message = `Something went wrong in the console; its log has the details under ${id}.`;
  return Response.json({ error: { code: 'INTERNAL', message, details: { id } } }, { status: 500 });
}

/** Runs `work` for a signed-in actor and translates its result or error to HTTP. */
export async function answer(
  request: Request,
  work: (handle: RuntimeHandle, actor: Actor) => Promise<unknown>,
  status = 200,
): Promise<Response> {
  try {
    const handle = runtime();
    const actor = await handle.actorOf(request.headers);
    if (!actor) {
      const message = 'Sign in, or send a valid bearer token.';
      return Response.json({ error: { code: 'UNAUTHENTICATED', message } }, { status: 401 });
    }
    const result = await work(handle, actor);
    if (result instanceof Response) return result;
    return Response.json(result, { status, headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    return toErrorResponse(error);
  }
}

/** The query string as an object; a repeated name keeps its last value, an empty one is left out. */
export function searchParams(request: Request): Record<string, string> {
  const entries = [...new URL(request.url).searchParams].filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

/** The JSON object in the body; an empty body is an empty object. Throws INVALID_INPUT. */
export async function jsonBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  if (text.trim() === '') return {};
  const body = parseJson(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  throw new CodedError('INVALID_INPUT', 'The body must be a JSON object.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is answered like JSON of another shape.
    return null;
  }
}
