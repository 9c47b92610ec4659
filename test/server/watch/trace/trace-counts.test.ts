import { describe, expect, it } from 'vitest';
import type { Seen } from '@/server/watch/trace/classifier';
import { createTraceClock } from '@/server/watch/trace/trace-clock';
import {
  MOST_CLIENTS,
  MOST_KEYS,
  STORM_PER_SECOND,
  TraceCounts,
} from '@/server/watch/trace/trace-counts';
import { isStorm } from '@/server/watch/trace/trace-view';
import { BEGAN } from './lines';

const failure = (more: Partial<Seen> = {}): Seen => ({
  at: BEGAN,
  db: 0,
  key: 'lock:a',
  client: '10.0.0.7:1',
  deed: 'failed',
  isObserved: true,
  ...more,
});

function countsOf(seen: Iterable<Seen>): TraceCounts {
  const counts = new TraceCounts();
  for (const one of seen) counts.add(one);
  return counts;
}

function* times(count: number, make: (i: number) => Partial<Seen>): Iterable<Seen> {
  for (let i = 0; i < count; i++) yield failure(make(i));
}

describe('the sums of a trace', () => {
  it('tell attempts by lock and by client, and the rest apart', () => {
    const counts = countsOf([
      failure(),
      failure({ isObserved: false }),
      failure({ deed: 'took', client: '10.0.0.8:1' }),
      failure({ deed: 'renewed' }),
      failure({ deed: 'released' }),
      failure({ deed: 'looked' }),
      failure({ deed: 'waits' }),
      failure({ deed: 'waits' }),
    ]);
    expect(counts).toMatchObject({ attempts: 3, failed: 2, truncated: false });
    const ofKey = counts.keys.get('0:lock:a');
    expect(ofKey).toMatchObject({ attempts: 3, failed: 2, inferred: 1, renewals: 1, looks: 1 });
    expect(ofKey?.waiting.size).toBe(1);
    expect([...(ofKey?.clients ?? [])]).toEqual([
      ['10.0.0.7:1', { attempts: 2, failed: 2 }],
      ['10.0.0.8:1', { attempts: 1, failed: 0 }],
    ]);
    expect(counts.clients.get('10.0.0.7:1')).toMatchObject({ attempts: 2, failed: 2, keys: 1 });
  });

  it('keep the same key of two dbs apart', () => {
    expect(countsOf([failure(), failure({ db: 3 })]).keys.size).toBe(2);
  });

  it('see a storm in one bad second, and none in as many attempts over two', () => {
    const storm = countsOf(times(STORM_PER_SECOND, (i) => ({ at: BEGAN + i })));
    const slow = countsOf(times(STORM_PER_SECOND, (i) => ({ at: BEGAN + 40 * i })));
    const of = (counts: TraceCounts) => [...counts.keys.values(), ...counts.clients.values()];
    expect(of(storm).map(isStorm)).toEqual([true, true]);
    expect(of(slow).map(isStorm)).toEqual([false, false]);
  });

  it('stay within their bounds whatever comes, say so, and still count all', () => {
    const many = MOST_KEYS + 500;
    const counts = countsOf(
      times(many, (i) => ({ key: `lock:${i}`, client: `10.0.0.7:${i % (MOST_CLIENTS + 10)}` })),
    );
    expect(counts).toMatchObject({ attempts: many, failed: many, truncated: true });
    expect([counts.keys.size, counts.clients.size]).toEqual([MOST_KEYS, MOST_CLIENTS]);
  });
});

describe('the clock of a trace', () => {
  it('tells rates of the last second and averages of all', () => {
    const clock = createTraceClock(0);
    for (let turn = 1; turn <= 8; turn++) {
      clock.lines(turn <= 4 ? 100 : 200);
      clock.bytes(1000);
      clock.turn(250 * turn);
    }
    expect([clock.linesPerSecond, clock.bytesPerSecond]).toEqual([800, 4000]);
    expect(clock.averages).toEqual({ linesPerSecond: 600, bytesPerSecond: 4000 });
  });
});
