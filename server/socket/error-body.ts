import { randomUUID } from 'node:crypto';
import { isCodedError, type ErrorBody } from '@/lib/protocol/errors';

/** The server's log is its standard error. */
export function logError(message: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- see above
  console.error(message, error);
}

/** What a client is told of an error: coded ones as they are, others as INTERNAL with an id that the log has too. */
export function toErrorBody(error: unknown): ErrorBody {
  if (isCodedError(error)) {
    const { code, message, details } = error;
    return { error: { code, message, ...(details ? { details } : {}) } };
  }
  const id = randomUUID();
  logError(`live request ${id} failed:`, error);
  const message = `Something went wrong in the console; its log has the details under ${id}.`;
  return { error: { code: 'INTERNAL', message, details: { id } } };
}

/** An error that a socket middleware hands to the client: socket.io sends `data` along. */
export function refusal(error: unknown): Error & { data: ErrorBody } {
  const data = toErrorBody(error);
  return Object.assign(new Error(data.error.message), { data });
}
