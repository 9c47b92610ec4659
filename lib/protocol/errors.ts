import type { Said, Sentence } from './sentence';

/** Every error a client can meet. Recognised by `code`, never by class or message. */
export const ERROR_CODES = [
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
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** How an error travels. `message` is one sentence for a person: the thing, what was expected, the remedy. */
export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    details?: Record<string, unknown> | undefined;
    /** `message` for the reader's own language. */
    sentences?: Sentence[] | undefined;
  };
}

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
  readonly sentences: Sentence[] | undefined;

  constructor(code: ErrorCode, message: string | Said, details?: Record<string, unknown>) {
    super(typeof message === 'string' ? message : message.text);
    this.name = 'CodedError';
    this.code = code;
    this.details = details;
    this.sentences = typeof message === 'string' ? undefined : message.sentences;
  }
}

const isErrorCode = (value: unknown): value is ErrorCode =>
  ERROR_CODES.some((code) => code === value);

export function isCodedError(error: unknown): error is CodedError {
  return error instanceof Error && 'code' in error && isErrorCode(error.code);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How a coded error travels. */
export const bodyOf = ({ code, message, details, sentences }: CodedError): ErrorBody => ({
  error: { code, message, ...(details && { details }), ...(sentences && { sentences }) },
});

/** The error that travelled. */
export const errorFrom = ({ code, message, details, sentences }: ErrorBody['error']): CodedError =>
  new CodedError(code, sentences ? { text: message, sentences } : message, details);

const isValue = (value: unknown): value is string | number | null =>
  value === null || typeof value === 'string' || typeof value === 'number';

const isSentence = (value: unknown): value is Sentence =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  isRecord(value['values']) &&
  Object.values(value['values']).every(isValue);

const sentencesIn = (value: unknown): Sentence[] | undefined =>
  Array.isArray(value) && value.every(isSentence) ? value : undefined;

/** The error that an answer carries, or null. By hand: pages need it, and a schema would load its library. */
export function errorBodyOf(answer: unknown): ErrorBody | null {
  const error = isRecord(answer) ? answer['error'] : undefined;
  if (!isRecord(error)) return null;
  const { code, message, details } = error;
  if (!isErrorCode(code) || typeof message !== 'string') return null;
  if (details !== undefined && !isRecord(details)) return null;
  return { error: { code, message, details, sentences: sentencesIn(error['sentences']) } };
}
