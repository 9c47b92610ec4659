import { describe, expect, it } from 'vitest';
import {
  BLAME_CAUSES,
  END_REASONS,
  EVIDENCES,
  HOLD_NOTES,
  WAIT_SOURCES,
} from '@/lib/protocol/closed-sets';
import { PAGE_KINDS, SKETCH_KINDS } from '@/server/store/schema';

/** What databases in use hold as numbers. A new name is appended to its line; none ever moves. */
describe('positions in the database', () => {
  it.each([
    ['evidence', EVIDENCES, 'observed inferred unknown'],
    [
      'end reason',
      END_REASONS,
      'released lease-ended overwritten evicted vanished moved lost-in-failover force-released unknown',
    ],
    [
      'note',
      HOLD_NOTES,
      'owner-not-seen started-before-watch started-in-gap ended-in-gap touches-gap confirmed-by-check ' +
        'late-release overrun finished-kept depth-inferred lease-shortened lease-removed ' +
        'value-changed-shape flushed moved-in writes-unread',
    ],
    ['kind of sketch', SKETCH_KINDS, 'hold fair-queue token-time report handoff'],
    ['source of waits', WAIT_SOURCES, 'fair-queue report token-time'],
    ['cause of waiting', BLAME_CAUSES, 'holder unnamed nobody others'],
    ['kind of page', PAGE_KINDS, 'class-sums class-sketches lock-sums lock-sketches blame'],
  ])('of every %s are those that were written', (_, names, written) => {
    expect(names.join(' ')).toBe(written);
  });

  it('leave room for a bit per note in a 32-bit column', () => {
    expect(HOLD_NOTES.length).toBeLessThan(32);
  });
});
