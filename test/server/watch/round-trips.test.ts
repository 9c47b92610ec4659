import { describe, expect, it } from 'vitest';
import { createHeartbeat } from '@/server/watch/heartbeat';
import { createRoundTrips } from '@/server/watch/round-trips';

describe('round trips', () => {
  it('are told by nearest rank, once there are enough', () => {
    const trips = createRoundTrips();
    for (let ms = 1; ms < 30; ms++) trips.add(ms);
    expect(trips.figures()).toBeNull();
    for (let ms = 30; ms <= 100; ms++) trips.add(ms);
    expect(trips.figures()).toEqual({ p50Ms: 50, p99Ms: 99, count: 100 });
    trips.reset();
    expect(trips.figures()).toBeNull();
  });

  it('are those of the last five minutes', () => {
    const trips = createRoundTrips();
    for (let n = 0; n < 50; n++) trips.add(1000);
    for (let n = 0; n < 600; n++) trips.add(2);
    expect(trips.figures()).toEqual({ p50Ms: 2, p99Ms: 2, count: 600 });
  });

  it('are measured by the heartbeat from question to answer', () => {
    let now = 0;
    const connection = {
      ...{ waitingMs: 0, silentMs: 0 },
      send: (_args: unknown, onReply?: ((reply: string) => void) | null) => {
        now += 7;
        onReply?.('PONG');
        now += 500;
      },
    };
    const heartbeat = createHeartbeat(
      connection,
      () => undefined,
      () => now,
    );
    for (let beat = 0; beat < 40; beat++) heartbeat.beat();
    expect(heartbeat.roundTrips.figures()).toEqual({ p50Ms: 7, p99Ms: 7, count: 40 });
    heartbeat.reset();
    expect(heartbeat.roundTrips.figures()).toBeNull();
  });
});
