import { describe, expect, it } from 'vitest';
import { sampleHold } from '@/components/gallery/locks';
import { conflictOf } from '@/components/locks/release/conflict';
import { looksAlive } from '@/components/locks/release/looks-alive';
import { isReason } from '@/lib/protocol/reason';

const NOW = 1_800_000_000_000;

describe('a holder', () => {
  const renewed = (agoMs: number, renewalIntervalMs: number | null) =>
    looksAlive(sampleHold(NOW, { lastRenewalAt: NOW - agoMs, renewalIntervalMs }), NOW);

  it('looks alive while it renews in its own time', () => {
    expect(renewed(9_000, 10_000)).toBe(true);
    expect(renewed(16_000, 10_000)).toBe(false);
    expect(renewed(9_000, 2_000)).toBe(false);
  });

  it('looks alive for a while after a first renewal', () => {
    expect(renewed(10_000, null)).toBe(true);
    expect(renewed(20_000, null)).toBe(false);
  });

  it('that never renewed gives no sign', () => {
    expect(looksAlive(sampleHold(NOW, { lastRenewalAt: null }), NOW)).toBe(false);
  });
});

describe('a conflict', () => {
  const error = (details?: Record<string, unknown>) =>
    conflictOf({ code: 'CONFLICT', message: 'The holder has changed.', details });

  it('names the present holder', () => {
    expect(error({ holder: 'B:1', since: NOW })).toEqual({ holder: 'B:1', since: NOW });
    expect(error({ holder: 'B:1' })).toEqual({ holder: 'B:1', since: null });
  });

  it('tells a free lock from a holder that is not named', () => {
    expect(error({ holder: null, since: null })).toEqual({ holder: null, since: null });
    expect(error()).toBeNull();
    expect(error({ holder: 7 })).toBeNull();
  });
});

describe('a reason', () => {
  it('has at least three characters that are no space', () => {
    expect(isReason('  ab ')).toBe(false);
    expect(isReason('abc')).toBe(true);
    expect(isReason('\u200b\u200b\u200b')).toBe(false);
    expect(isReason('a\u202e\u2800b')).toBe(false);
    expect(isReason('锁坏了')).toBe(true);
  });
});
