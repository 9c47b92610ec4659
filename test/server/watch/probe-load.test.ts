import { describe, expect, it } from 'vitest';
import { parseInfo } from '@/server/redis/info';
import { createProbeLoads, spentOn } from '@/server/watch/probe-load';

describe('the load of questions', () => {
  it('is the rate of the last minute, and falls when nothing is asked any more', () => {
    let now = 1_000_000;
    const loads = createProbeLoads(() => now);
    for (let i = 0; i < 120; i++) {
      loads.asked('subscribers', { commands: 4, ms: 1.2345, locks: 7 });
      now += 1000;
    }
    const [first] = loads.loads;
    expect(first).toMatchObject({ kind: 'subscribers', lastMs: 1.23, locks: 7 });
    expect(first?.perSecond).toBeGreaterThan(3.5);
    expect(first?.perSecond).toBeLessThan(4.5);
    now += 120_000;
    expect(loads.loads[0]?.perSecond).toBe(0);
  });

  it('is not overrated by a first round', () => {
    let now = 1_000_000;
    const loads = createProbeLoads(() => now);
    loads.asked('clients', { commands: 1, ms: 2, locks: 3 });
    now += 1;
    expect(loads.loads[0]?.perSecond).toBeLessThanOrEqual(0.2);
  });

  it('has the time that Redis spent, once there are two readings, and after a reset anew', () => {
    let now = 1_000_000;
    const loads = createProbeLoads(() => now);
    loads.asked('clients', { commands: 1, ms: 2, locks: 3 });
    const usec = () => loads.loads[0]?.usecPerSecond;
    loads.spent(new Map([['clients', 5000]]));
    expect(usec()).toBeNull();
    now += 10_000;
    loads.spent(new Map([['clients', 25_000]]));
    expect(usec()).toBe(2000);
    now += 10_000;
    loads.spent(new Map([['clients', 100]]));
    expect(usec()).toBeNull();
  });

  it('is read from the counters of subcommands, and unknown where they are not kept apart', () => {
    const stats = (text: string) => spentOn(parseInfo(text));
    expect([
      ...stats(
        '# Commandstats\r\ncmdstat_pubsub|numsub:calls=3,usec=30,usec_per_call=10.00\r\n' +
          'cmdstat_pubsub|shardnumsub:calls=3,usec=12,usec_per_call=4.00\r\n' +
          'cmdstat_client|list:calls=1,usec=99,usec_per_call=99.00\r\n',
      ),
    ]).toEqual([
      ['subscribers', 42],
      ['clients', 99],
    ]);
    expect(stats('cmdstat_pubsub:calls=3,usec=30,usec_per_call=10.00\r\n').size).toBe(0);
  });
});
