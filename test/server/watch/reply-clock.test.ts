import { describe, expect, it } from 'vitest';
import { createReplyClock } from '@/server/watch/reply-clock';

/** The server's clock is `AHEAD` before ours. */
const AHEAD = 5000;
const reply = (madeAt: number, sentAt: number, at: number) => ({
  serverAt: madeAt + AHEAD,
  sentAt,
  at,
});

describe('the lateness of a reply', () => {
  it('is what it took longer than the quickest one, whatever the clocks say', () => {
    const clock = createReplyClock();
    expect(clock.lateness(reply(1000, 1000, 1001))).toBe(0);
    expect(clock.lateness(reply(2000, 2000, 2301))).toBe(300);
    expect(clock.lateness(reply(3000, 3000, 3001))).toBe(0);
  });

  it('is never longer than the reply was under way', () => {
    const clock = createReplyClock();
    clock.lateness(reply(1000, 1000, 1001));
    // The server's clock was set back by an hour.
    expect(clock.lateness(reply(2000 - 3_600_000, 2000, 2003))).toBe(3);
  });

  it('forgets the quickest after a minute, because clocks drift', () => {
    const clock = createReplyClock();
    clock.lateness(reply(0, 0, 1));
    clock.lateness(reply(40_000 - 200, 39_700, 40_001));
    expect(clock.lateness(reply(80_000 - 200, 79_700, 80_001))).toBe(0);
  });

  it('begins anew with another server', () => {
    const clock = createReplyClock();
    clock.lateness(reply(1000, 1000, 1001));
    clock.reset();
    expect(clock.lateness({ serverAt: 0, sentAt: 0, at: 9000 })).toBe(0);
  });
});
