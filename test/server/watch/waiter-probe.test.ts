import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubscribersObservation } from '@/server/watch/observation';
import { createPubsubQuestions } from '@/server/watch/pubsub';
import { createWaiterProbe, type ProbedLock } from '@/server/watch/waiter-probe';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const LOCKS = 25_000;

let server: TestRedis;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

describe('counting who waits for very many locks', () => {
  it('asks for a part in each round, and comes to every one', async () => {
    const redis = server.client();
    const listener = server.client();
    await listener.subscribe('c:7', `c:${LOCKS - 1}`);
    const locks: ProbedLock[] = Array.from({ length: LOCKS }, (_, i) => ({
      ...{ db: 0, key: `${i}`, channels: [`c:${i}`] },
    }));
    const seen: SubscribersObservation[] = [];
    const asked: number[] = [];
    const probe = createWaiterProbe({
      pubsub: createPubsubQuestions({ mayShard: () => false, now: Date.now }),
      loads: { asked: (_kind, round) => asked.push(round.locks) },
      probes: () => locks,
      waiterChannel: () => null,
      deliver: (observations) => seen.push(...observations),
      onAlivenessChanged: () => undefined,
      now: Date.now,
    });
    await probe.run(redis);
    expect(asked).toEqual([20_000]);
    const waited = () => seen.filter(({ count }) => count > 0).map(({ key }) => key);
    expect(waited()).toEqual(['7']);
    await probe.run(redis);
    expect(waited()).toContain(`${LOCKS - 1}`);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(LOCKS);
  });
});
