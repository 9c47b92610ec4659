import { expect, it } from 'vitest';
import { SampledAttempts } from '@/server/store/sampled-attempts';

const sample = (trace: string, failed: number) => ({
  kind: 'trace-sample' as const,
  at: 1,
  trace,
  from: 0,
  to: 1,
  storms: [{ db: 0, key: 'a', attempts: failed, failed, perSecond: failed, clients: 1 }],
  hotClients: [],
});

it('counts what a trace tells again only by how much it has grown, and another trace anew', () => {
  const sampled = new SampledAttempts();
  const counts = [sample('1', 5), sample('1', 5), sample('1', 9), sample('2', 3)].map((each) =>
    sampled.newIn(each).map(({ count }) => count),
  );
  expect(counts).toEqual([[5], [], [4], [3]]);
});
