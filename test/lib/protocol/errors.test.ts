import { describe, expect, it } from 'vitest';
import { CodedError, errorBodyOf, errorFrom, isCodedError } from '@/lib/protocol/errors';

const error = { code: 'CONFLICT', message: 'held by another', details: { holder: 'b' } };

describe('an error from the wire', () => {
  it('is read with its code, sentence and details', () => {
    expect(errorBodyOf({ error })).toEqual({ error });
    expect(errorBodyOf({ error: { ...error, details: undefined } })?.error.details).toBeUndefined();
  });

  it('keeps the sentences that are some, and the text without those that are none', () => {
    const sentences = [{ id: 'not-found:action', values: { action: 'a', depth: 1, owner: null } }];
    const read = errorBodyOf({ error: { ...error, sentences } })?.error;
    expect(read?.sentences).toEqual(sentences);
    expect(read && errorFrom(read)).toMatchObject({ ...error, sentences });
    for (const broken of ['a', [{ id: 'a' }], [{ id: 'a', values: { b: {} } }]]) {
      const other = errorBodyOf({ error: { ...error, sentences: broken } })?.error;
      expect(other).toEqual(error);
    }
  });

  it.each([
    ['nothing', undefined],
    ['text', 'CONFLICT'],
    ['no error', { message: 'held by another' }],
    ['a list', { error: [error] }],
    ['an unknown code', { error: { ...error, code: 'TEAPOT' } }],
    ['no sentence', { error: { code: 'CONFLICT' } }],
    ['details that are no record', { error: { ...error, details: 'b' } }],
  ])('is not read from %s', (_what, answer) => {
    expect(errorBodyOf(answer)).toBeNull();
  });

  it('is recognised by its code, whatever its class', () => {
    expect(isCodedError(new CodedError('NOT_FOUND', 'no such lock'))).toBe(true);
    expect(isCodedError(Object.assign(new Error('x'), { code: 'NOT_FOUND' }))).toBe(true);
    expect(isCodedError(Object.assign(new Error('x'), { code: 'ECONNRESET' }))).toBe(false);
  });
});
