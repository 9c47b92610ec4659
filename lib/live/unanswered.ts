import { sentence } from '@/lib/messages/sentence';
import type { ErrorBody } from '@/lib/protocol/errors';

/** The connection was down before the request: nothing was sent. */
export const NOT_SENT: ErrorBody['error'] = {
  code: 'TARGET_UNAVAILABLE',
  message:
    'The console cannot be reached from this page. Nothing was sent; try again when the connection is back.',
  sentences: [sentence('unreachable:not-sent', {})],
};

/** The request was sent, and the connection went before its answer came. */
export const UNANSWERED: ErrorBody['error'] = {
  code: 'TARGET_UNAVAILABLE',
  message:
    'The connection was lost before the answer came. Nothing is known about the outcome: look before trying again.',
  sentences: [sentence('unreachable:unanswered', {})],
  details: { outcome: 'unknown' },
};

/** Whether what was asked for may have been done all the same. */
export const isOutcomeUnknown = (error: ErrorBody['error']): boolean =>
  error.details?.['outcome'] === 'unknown';
