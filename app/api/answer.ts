import { randomUUID } from 'node:crypto';
import { said } from '@/lib/messages/in-english';
import { bodyOf, CodedError, HTTP_STATUS, isCodedError } from '@/lib/protocol/errors';
import type { Actor } from '@/server/auth/actor';
import { runtime, type RuntimeHandle } from '@/server/runtime-handle';

/** Coded errors with their status and details, any other as INTERNAL with an id that the log has too. */
export function toErrorResponse(error: unknown): Response {
  if (isCodedError(error)) return refuse(error);
  const id = randomUUID();
  console.error(`request ${id} failed:`, error);
  return refuse(new CodedError('INTERNAL', said('internal:logged', { id }), { id }));
}

const refuse = (error: CodedError): Response =>
  Response.json(bodyOf(error), { status: HTTP_STATUS[error.code] });

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
      return refuse(new CodedError('UNAUTHENTICATED', said('unauthenticated:sign-in', {})));
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
  throw new CodedError('INVALID_INPUT', said('invalid:body', {}));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is answered like JSON of another shape.
    return null;
  }
}
