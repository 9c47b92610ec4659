/** What can go wrong, a closed set. Recognise an error by its `code`: two copies of a module make two classes. */
export type LockErrorCode =
  | 'ACQUISITION_TIMEOUT'
  | 'ABORTED'
  | 'NOT_HELD'
  | 'LOST'
  | 'EMPTY_KEY'
  | 'TEMPLATE_VARIABLE_MISSING'
  | 'BAD_OPTIONS'
  | 'CONTENT_REFUSED'
  | 'WRONG_TYPE'
  | 'RATE_LIMITED'
  | 'QUORUM_NOT_REACHED'
  | 'NODES_NOT_INDEPENDENT'
  | 'REDIS_TOO_OLD'
  | 'REDIS_WITHOUT_ACCESS_CONTROL'
  | 'REDIS_FORBIDS'
  | 'REDIS_UNREACHABLE'
  | 'REDIS_ERROR'
  | 'CLIENT_CLOSED'
  | 'OUT_OF_STOCK'
  | 'STOCK_NOT_SET_UP'
  | 'STOCK_DIFFERS'
  | 'STOCK_LOST'
  | 'ORDER_DIFFERS'
  | 'ORDER_GIVEN_BACK';

/**
 * Every error of the lock client. `message` is one sentence that names the thing and the remedy; `fields` are
 * the same facts for programs (key, owner, holder, waitedMs…: `README.md` lists them per code).
 */
export class LockError extends Error {
  readonly code: LockErrorCode;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    code: LockErrorCode,
    message: string,
    fields: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LockError';
    this.code = code;
    this.fields = fields;
  }
}

/** The wait was over before the lock was granted. Fields: key, owner, holder (or null), waitedMs, waitMs. */
export class LockAcquisitionTimeoutException extends LockError {
  constructor(message: string, fields: Record<string, unknown>) {
    super('ACQUISITION_TIMEOUT', message, fields);
    this.name = 'LockAcquisitionTimeoutException';
  }
}

/**
 * The lease ended or was taken away while it was held. Fields: key, owner, fence, reason
 * (`lease-ended`, `revoked`, `unreachable` or `closed`).
 */
export class LockLostError extends LockError {
  constructor(message: string, fields: Record<string, unknown>) {
    super('LOST', message, fields);
    this.name = 'LockLostError';
  }
}

/** Whether it is an error of the lock client, of this copy of the module or another. */
export const isLockError = (error: unknown): error is LockError =>
  error instanceof Error && 'code' in error && 'fields' in error;
