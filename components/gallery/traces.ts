import { toBase64Url } from '@/lib/protocol/bytes';
import type { Trace, TracedClient, TracedKey, TraceSummary } from '@/lib/protocol/trace';

const cost: Trace['cost'] = {
  linesPerSecond: 18_423,
  bytesPerSecond: 2_912_004,
  pingMs: 0.31,
  pingWorstMs: 4.2,
  pingBaselineMs: 0.12,
  redisCpuShare: 0.61,
  redisCpuBaseline: 0.38,
  outputBufferBytes: 20_504,
  loopLagMs: 3,
};

const client = (index: number, failed: number): TracedClient => ({
  addr: `10.2.${index % 8}.${(17 * index) % 250}:${40_000 + index}`,
  name: index % 3 === 2 ? null : `checkout-${index}`,
  libName: index % 2 === 0 ? 'ioredis' : null,
  attempts: failed + 4,
  failed,
  perSecond: failed / 12,
  failedPerSecond: Math.round(failed / 8),
  keys: 1 + (index % 4),
  hot: failed / 8 >= 50,
});

const row = (key: string, index: number, failed: number): TracedKey => ({
  db: 0,
  key,
  keyB64: toBase64Url(key),
  ...(index % 4 !== 3 && { format: index % 2 === 0 ? 'redlock' : 'redis-py' }),
  attempts: failed + 6,
  failed,
  renewals: 2,
  releases: 6,
  looks: 11,
  perSecond: failed / 12,
  failedPerSecond: Math.round(failed / 8),
  clients: [0, 1, 2].map((n) => {
    const { addr, name, attempts } = client(index + n, Math.round(failed / 3));
    return { addr, name, attempts, failed: Math.round(failed / 3) };
  }),
  clientCount: 3 + index,
  waiting: index % 3,
  storm: failed / 8 >= 50,
  evidence: index % 3 === 1 ? 'inferred' : 'observed',
});

const HOSTILE = `lock:${'x'.repeat(300)}:<b>end</b>`;

/** A trace that runs, ends in eight seconds, and sees `rows` locks. */
export function sampleTrace(now: number, more: Partial<Trace> = {}, rows = 6): Trace {
  const failures = Array.from({ length: rows }, (_, i) => Math.round(2400 / (i + 1) ** 1.4));
  const names = [...Array.from({ length: rows - 1 }, (_, i) => `order_sync:${4711 + i}`), HOSTILE];
  return {
    ...sampleSummary(now, {}),
    keys: names.map((name, i) => row(name, i, failures[i] ?? 0)),
    clients: failures.map((failed, i) => client(i, failed)),
    keyCount: rows,
    clientCount: rows,
    ...more,
  };
}

export const sampleSummary = (now: number, more: Partial<TraceSummary>): TraceSummary => ({
  id: '0b4f7a3c-8d2e-4c1a-9f57-2a6b1e0d9c44',
  target: '127.0.0.1:6379',
  state: 'running',
  stoppedBecause: null,
  stoppedBy: null,
  startedAt: now - 12_000,
  endsAt: now + 8_000,
  endedAt: null,
  actor: 'mara@example.com',
  reason: 'checkout waits for stock locks since noon',
  cost,
  commands: 221_076,
  attempts: 4903,
  failed: 4822,
  keyCount: 6,
  clientCount: 6,
  storms: 1,
  hotClients: 1,
  evidence: 'observed',
  truncated: false,
  ...more,
});

/** Traces that have ended, newest first. */
export const pastTraces = (now: number, count = 5): TraceSummary[] =>
  Array.from({ length: count }, (_, i) => {
    const startedAt = now - (i + 1) * 2_400_000;
    const isStopped = i % 3 === 1;
    return sampleSummary(now, {
      id: `trace-${i}`,
      state: isStopped ? 'stopped' : 'done',
      stoppedBecause: isStopped ? 'redis-slow' : null,
      startedAt,
      endsAt: startedAt + 10_000,
      endedAt: startedAt + (isStopped ? 3100 : 10_000),
      reason: null,
      storms: i % 2,
    });
  });
