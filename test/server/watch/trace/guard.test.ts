import { describe, expect, it } from 'vitest';
import {
  createTraceGuard,
  MOST_BUFFER_BYTES,
  MOST_LINES_PER_SECOND,
  type GuardSample,
} from '@/server/watch/trace/guard';

const calm: GuardSample = {
  pingMs: 0.2,
  pingBaselineMs: 0.1,
  linesPerSecond: 1000,
  loopLagMs: 0,
  outputBufferBytes: 0,
};

/** What the guard says at each turn. */
function judge(...turns: Partial<GuardSample>[]): (string | null)[] {
  const guard = createTraceGuard();
  return turns.map((turn) => guard.judge({ ...calm, ...turn }));
}

describe('the guard of a trace', () => {
  it('lets a calm one go on, also where little may be asked', () => {
    const blind = { pingMs: null, pingBaselineMs: null, outputBufferBytes: null };
    expect(judge({}, {}, blind, blind)).toEqual([null, null, null, null]);
  });

  it('ends it at the second slow PING in a row', () => {
    expect(judge({ pingMs: 21 }, { pingMs: 21 })).toEqual([null, 'redis-slow']);
    expect(judge({ pingMs: 21 }, {}, { pingMs: 21 }, {})).toEqual([null, null, null, null]);
  });

  it('measures by how Redis was before', () => {
    const slow = { pingBaselineMs: 30, pingMs: 140 };
    expect(judge(slow, slow, slow)).toEqual([null, null, null]);
    expect(judge({ ...slow, pingMs: 151 }, { ...slow, pingMs: 151 })[1]).toBe('redis-slow');
  });

  it('ends it at once when too many commands come or Redis holds too much back', () => {
    expect(judge({ linesPerSecond: MOST_LINES_PER_SECOND + 1 })).toEqual(['too-many-commands']);
    expect(judge({ outputBufferBytes: MOST_BUFFER_BYTES + 1 })).toEqual(['buffer-grows']);
  });

  it('takes a late console for what it is, and not for a slow Redis', () => {
    const late = { loopLagMs: 300, pingMs: 310 };
    expect(judge(late, late)).toEqual([null, 'console-slow']);
    const busy = { loopLagMs: 120, pingMs: 130 };
    expect(judge(busy, busy, busy)).toEqual([null, null, null]);
    expect(judge({ loopLagMs: 300 }, { loopLagMs: 3 }, { loopLagMs: 300 })).toEqual([
      ...[null, null, null],
    ]);
  });
});
