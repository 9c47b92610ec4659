import { describe, expect, it } from 'vitest';
import { lockCountOf } from '@/lib/analysis/alert-locks';
import type { AlertSubject } from '@/lib/protocol/alert';

const lock = (key: string): AlertSubject['locks'][number] => ({ db: 0, key, keyB64: key });
const subject = (kind: AlertSubject['kind'], ...keys: string[]): AlertSubject => ({
  ...{ kind, label: keys.join(), deadlockId: null },
  locks: keys.map(lock),
});

describe('the number of locks that an alert is about', () => {
  it('is one where one lock did it several times', () => {
    expect(lockCountOf({ subject: subject('lock', 'a'), count: 4 })).toBe(1);
  });

  it('is told by the count where not all of them are listed', () => {
    expect(lockCountOf({ subject: subject('locks', 'a', 'b'), count: 60 })).toBe(60);
  });

  it('is none for a target, whatever is counted there', () => {
    expect(lockCountOf({ subject: subject('target'), count: 3 })).toBe(0);
  });
});
