import type { IncomingMessage } from 'node:http';

/** Node's header lists as the web's `Headers`. */
export function toHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (Array.isArray(value)) for (const part of value) headers.append(name, part);
    else if (value !== undefined) headers.set(name, value);
  }
  return headers;
}
