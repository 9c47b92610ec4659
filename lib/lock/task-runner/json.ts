import { LockError } from '../errors.js';

/**
 * What is kept of a run is JSON; `undefined`, which JSON lacks, is the empty text.
 * Throws BAD_OPTIONS for what JSON cannot say (a cycle, a BigInt, a function).
 */
export function encode(value: unknown, what: string): string {
  try {
    const text = JSON.stringify(value);
    if (text === undefined && value !== undefined) throw new Error(`it is a ${typeof value}`);
    return text ?? '';
  } catch (cause) {
    throw new LockError(
      'BAD_OPTIONS',
      `${what} cannot be written as JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { what },
      cause,
    );
  }
}

export function decode(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  const value: unknown = JSON.parse(text);
  return value;
}
