import { describe, expect, it } from 'vitest';
import { sampleAudit } from '@/components/gallery/incidents';
import { verdictOn } from '@/components/locks/release/unknown-outcome';
import type { AuditEntry, AuditOutcome } from '@/lib/protocol/audit';

const NOW = 1_800_000_000_000;
const sent = { db: 0, keyB64: 'bG9jazpm', reason: 'worker-3 is gone', at: NOW };

function entry(outcome: AuditOutcome, changes: Partial<AuditEntry> = {}): AuditEntry {
  const [sample] = sampleAudit(NOW);
  if (!sample) throw new Error('the gallery has no audit');
  const { keyB64, reason, at } = sent;
  return { ...sample, action: 'lock.release', db: 0, keyB64, reason, at, outcome, ...changes };
}

describe('a release whose answer was lost', () => {
  it('was done when the audit says so', () => {
    expect(verdictOn(sent, [entry('done'), entry('requested')])).toBe('released');
  });

  it('was refused or failed when the audit says so', () => {
    expect(verdictOn(sent, [entry('refused'), entry('requested')])).toBe('refused');
    expect(verdictOn(sent, [entry('failed'), entry('requested')])).toBe('refused');
  });

  it('is under way while only its request is known', () => {
    expect(verdictOn(sent, [entry('requested')])).toBe('under-way');
  });

  it('is not mistaken for another release', () => {
    const others = [
      entry('done', { reason: 'something else' }),
      entry('done', { keyB64: 'bG9jazpn' }),
      entry('done', { db: 3 }),
      entry('done', { action: 'lock.drop-waiter' }),
      entry('done', { at: NOW - 600_000 }),
    ];
    expect(verdictOn(sent, others)).toBe('no-trace');
  });
});
