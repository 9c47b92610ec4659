import { z } from 'zod';

/** Every error a client can meet. Recognised by `code`, never by class or message. */
export const ErrorCode = z.enum([
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'READ_ONLY_FORMAT',
  'CAPABILITY_MISSING',
  'AUDIT_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'TARGET_UNAVAILABLE',
  'TOO_MANY',
  'INTERNAL',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

export const ErrorBody = z.object({
  error: z.object({
    code: ErrorCode,
    /** One sentence for a person: names the thing, what was expected, and the remedy. */
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const HTTP_STATUS: Record<ErrorCode, number> = {
  INVALID_INPUT: 422,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  READ_ONLY_FORMAT: 409,
  CAPABILITY_MISSING: 422,
  AUDIT_UNAVAILABLE: 503,
  STORE_UNAVAILABLE: 503,
  TARGET_UNAVAILABLE: 503,
  TOO_MANY: 413,
  INTERNAL: 500,
};

/**
 * An error with a code. Two copies of this class can exist in one process (the server's and the page
 * bundle's), so test with {@link isCodedError}, never with `instanceof`.
 */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>) {
    super(message);
    this.name = 'CodedError';
    this.code = code;
    this.details = details;
  }
}

export function isCodedError(error: unknown): error is CodedError {
  return error instanceof Error && 'code' in error && ErrorCode.safeParse(error.code).success;
}
