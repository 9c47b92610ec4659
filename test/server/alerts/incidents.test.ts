import { describe, expect, it } from 'vitest';
import { toBase64Url } from '@/lib/protocol/bytes';
import { createAlertBook } from '@/server/alerts';
import type { Finding } from '@/server/analysers/finding';
import { aFinding, START } from '@/test/support/records';

const SECOND = 1000;

const about = (...keys: string[]): Finding['subject'] => ({
  kind: keys.length === 1 ? 'lock' : 'deadlock',
  label: keys.join(' and '),
  locks: keys.map((key) => ({ db: 0, key, keyB64: toBase64Url(key) })),
  deadlockId: keys.length === 1 ? null : 'd1',
});

const deadlock = aFinding('d1', {
  code: 'deadlock',
  severity: 'critical',
  subject: about('acct:1', 'acct:2'),
});
const held = (key: string): Finding => aFinding(`long:${key}`, { subject: about(key) });

describe('what a deadlock brings about', () => {
  it('is part of it while it lasts, and an alert of its own afterwards', () => {
    const book = createAlertBook({ target: 'main' });
    const others = [held('acct:1'), held('acct:3')];
    book.update(others, START);
    book.update([...others, deadlock], START + SECOND);
    const partOf = () =>
      Object.fromEntries(book.open().map((one) => [one.subject.label, one.partOf ?? null]));
    const id = book.open().find(({ code }) => code === 'deadlock')?.id;
    expect(partOf()).toEqual({ 'acct:1 and acct:2': null, 'acct:1': id, 'acct:3': null });
    expect(book.open()).toHaveLength(3);
    expect(book.update(others, START + 2 * SECOND)).toMatchObject([
      { code: 'deadlock', state: 'resolved' },
      { subject: { label: 'acct:1' }, state: 'firing', partOf: null },
    ]);
  });

  it('stands behind it where both are as severe, although it is older', () => {
    const book = createAlertBook({ target: 'main' });
    const long = { ...held('acct:1'), severity: 'critical' as const };
    book.update([long], START);
    book.update([long, deadlock], START + SECOND);
    expect(book.open().map(({ code }) => code)).toEqual(['deadlock', long.code]);
    expect(book.codesFor(0, 'acct:1')).toEqual(['deadlock', long.code]);
  });

  it('is only what waits and holds: a lock without expiry is told by itself', () => {
    const book = createAlertBook({ target: 'main' });
    const endless = aFinding('e', { code: 'no-expiry', subject: about('acct:1') });
    const many = aFinding('m', { code: 'waiter-pileup', subject: about('acct:2') });
    book.update([endless, many, deadlock], START);
    const parts = book.open().filter(({ partOf }) => partOf);
    expect(parts.map(({ code }) => code)).toEqual(['waiter-pileup']);
  });
});
