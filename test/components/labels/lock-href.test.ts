import { describe, expect, it } from 'vitest';
import { lockHref, parseLockAddress } from '@/components/labels/lock-href';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';

const roundTrip = (target: string, db: number, key: string) => {
  const [, , routeTarget = '', routeDb = '', routeKey = ''] = lockHref({
    target,
    db,
    keyB64: toBase64Url(key),
  }).split('/');
  return parseLockAddress({ target: routeTarget, db: routeDb, keyB64: routeKey });
};

describe('the address of a lock', () => {
  it.each([
    ['a plain key', 'order_sync:1042'],
    ['the empty key', ''],
    ['bytes that are no UTF-8', '\x00\xff\xfe/../?#'],
    ['markup', bytesFromText('<script>alert("ü")</script>')],
    ['5,000 bytes', 'k'.repeat(5000)],
  ])('comes back from its URL for %s', (_, key) => {
    expect(roundTrip('127.0.0.1:6379/0 %', 3, key)).toEqual({
      target: '127.0.0.1:6379/0 %',
      db: 3,
      keyB64: toBase64Url(key),
    });
  });

  it('names the moment at which the lock is shown', () => {
    const lock = { target: 't', db: 0, keyB64: 'bG9jaw' };
    expect(lockHref(lock, 1_793_369_587_250)).toBe('/locks/t/0/bG9jaw?at=1793369587250');
  });

  it.each([
    ['a db that is no number', { target: 't', db: '-1', keyB64: 'bG9jaw' }],
    ['a key that is no base64url', { target: 't', db: '0', keyB64: 'a+b/=' }],
    ['a key with stray bits', { target: 't', db: '0', keyB64: 'bG9jax' }],
    ['a broken escape', { target: '%E0%A4%A', db: '0', keyB64: 'bG9jaw' }],
  ])('is refused for %s', (_, params) => {
    expect(parseLockAddress(params)).toBeNull();
  });
});
