import { sentence } from '@/lib/messages/sentence';
import { failed, type Outcome } from './outcome';

/** An attempt is given up after this. */
export const TIMEOUT_MS = 10_000;

const NAME_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EDNS']);
const ABSENT_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const TLS_CODE = /CERT|^ERR_TLS|^ERR_SSL|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|^EPROTO$|^ETLS$/;

export const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'error';
};

/**
 * Why there was no answer. `wasSent`: all of the message had left; `signal`: the one that bounds the attempt.
 * All of these are tried again.
 */
export function failureOf(
  error: unknown,
  { host, wasSent, signal }: { host: string; wasSent: boolean; signal: AbortSignal },
): Outcome {
  const code = codeOf(error);
  const seen = { maybeSeen: wasSent };
  if (signal.aborted) {
    const isTimeout = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
    if (!isTimeout) return failed(sentence('notify:stopped', { host }), seen);
    return failed(sentence('notify:timeout', { host, withinMs: TIMEOUT_MS }), seen);
  }
  if (TIMEOUT_CODES.has(code)) {
    return failed(sentence('notify:timeout', { host, withinMs: TIMEOUT_MS }), seen);
  }
  if (NAME_CODES.has(code)) return failed(sentence('notify:dns', { host, error: code }));
  if (ABSENT_CODES.has(code)) return failed(sentence('notify:refused', { host, error: code }));
  if (TLS_CODE.test(code)) return failed(sentence('notify:tls', { host, error: code }));
  return failed(sentence('notify:broken', { host, error: code }), seen);
}
