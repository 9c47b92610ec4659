import { said } from '@/lib/messages/in-english';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, CodedError, HTTP_STATUS, isCodedError } from '@/lib/protocol/errors';
import { CLIENT_IP_HEADER } from './auth/auth';
import { toHeaders } from './auth/to-headers';
import type { RuntimeHandle } from './runtime-handle';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What may be had without being signed in: signing in, health, and files that hold no data. */
const OPEN =
  /^\/(sign-in\/?$|api\/auth\/|api\/health$|api\/ready$|_next\/static\/|icon\.svg$|favicon\.ico$)/;

const METRICS = '/metrics';

/** Where no page is: what is shown for a path that means nothing. */
const NO_PAGE = '/no-such-page';

const SECURITY_HEADERS: Record<string, string> = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; " +
    "frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
};

/**
 * Stands before every page and route: nothing but {@link OPEN} without a session or token, and no write by
 * cookie from another origin. Central, so that a new route cannot forget it.
 */
export function createGate(handle: RuntimeHandle, render: Handler): Handler {
  return async (request, response) => {
    try {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
      request.headers[CLIENT_IP_HEADER] = request.socket.remoteAddress ?? '';
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const headers = toHeaders(request);
      if (!isDecodable(path)) {
        if (isForPrograms(path)) {
          return refuse(response, new CodedError('INVALID_INPUT', said('invalid:path', {})));
        }
        request.url = NO_PAGE;
      }
      if (!(await mayEnter(handle, { request, path, headers }))) {
        if (isForPrograms(path)) {
          const why = said('unauthenticated:sign-in', {});
          return refuse(response, new CodedError('UNAUTHENTICATED', why));
        }
        response.writeHead(307, {
          location: `/sign-in?next=${encodeURIComponent(request.url ?? '/')}`,
        });
        response.end();
        return;
      }
      if (!isRead(request) && !handle.isTrustedWrite(headers)) {
        const why = said('forbidden:request-from-other-site', {});
        return refuse(response, new CodedError('FORBIDDEN', why));
      }
      await render(request, response);
    } catch (error) {
      const isKnown = isCodedError(error);
      if (!isKnown) console.error(error);
      if (response.headersSent) response.destroy();
      else if (isKnown) refuse(response, error);
      else refuse(response, new CodedError('INTERNAL', said('internal:unanswered', {})));
    }
  };
}

interface Knock {
  request: IncomingMessage;
  path: string;
  headers: Headers;
}

async function mayEnter(handle: RuntimeHandle, { request, path, headers }: Knock) {
  if (OPEN.test(path)) return true;
  if (path === METRICS && isRead(request)) return await handle.mayReadMetrics(headers);
  return (await handle.actorOf(headers)) !== null;
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

const isForPrograms = (path: string): boolean => path.startsWith('/api/') || path === METRICS;

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function refuse(response: ServerResponse, error: CodedError): void {
  const isPage = !isForPrograms(response.req.url ?? '');
  const type = isPage ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(HTTP_STATUS[error.code], { 'content-type': type });
  response.end(isPage ? error.message : JSON.stringify(bodyOf(error)));
}
