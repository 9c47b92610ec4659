import { randomUUID } from 'node:crypto';
import { said } from '@/lib/messages/in-english';
import { bodyOf, CodedError, isCodedError, type ErrorBody } from '@/lib/protocol/errors';

/** The server's log is its standard error. */
export function logError(message: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- see above
  console.error(message, error);
}

/** What a client is told of an error: coded ones as they are, others as INTERNAL with an id that the log has too. */
export function toErrorBody(error: unknown): ErrorBody {
  if (isCodedError(error)) return bodyOf(error);
  const id = randomUUID();
  logError(`live request ${id} failed:`, error);
  return bodyOf(new CodedError('INTERNAL', said('internal:logged', { id }), { id }));
}

/** An error that a socket middleware hands to the client: socket.io sends `data` along. */
export function refusal(error: unknown): Error & { data: ErrorBody } {
  const data = toErrorBody(error);
  return Object.assign(new Error(data.error.message), { data });
}
