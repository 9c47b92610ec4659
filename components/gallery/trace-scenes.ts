import type { ErrorBody } from '@/lib/protocol/errors';
import type { SampleLiveOptions } from './sample-live';
import type { Scene } from './scenes';
import { lostTargets } from './targets';
import { pastTraces, sampleSummary, sampleTrace } from './traces';

type Queries = SampleLiveOptions['queries'];

const forbidden: SampleLiveOptions['actions'] = {
  'trace.start': (): ErrorBody => ({
    error: {
      code: 'CAPABILITY_MISSING',
      message:
        "The console's Redis user may not use MONITOR. Grant it: ACL SETUSER lockscope +monitor.",
    },
  }),
};

const gone: ErrorBody = {
  error: { code: 'NOT_FOUND', message: 'There is no trace of this id; the console restarted.' },
};

/** The pages of traces in their usual and their awkward states. */
export function traceScenes(base: Queries, now: number): Record<string, Scene> {
  const scene = (page: 'traces' | 'trace', queries: Queries, more: Partial<Scene> = {}): Scene => ({
    page,
    role: 'admin',
    queries: { ...base, ...queries },
    actions: forbidden,
    ...more,
  });
  const { traces: _traces, ...unanswered } = base;
  const ended = { startedAt: now - 60_000, endsAt: now - 50_000, endedAt: now - 56_900 };
  const trace = (...sample: Parameters<typeof sampleTrace>): Scene =>
    scene('trace', { trace: () => sampleTrace(...sample) });
  return {
    traces: scene('traces', {}),
    'traces-running': scene('traces', {
      traces: () => ({ items: [sampleSummary(now, {}), ...pastTraces(now)] }),
    }),
    'traces-none': scene('traces', { traces: () => ({ items: [] }) }),
    'traces-many': scene('traces', { traces: () => ({ items: pastTraces(now, 20) }) }),
    'traces-viewer': scene('traces', {}, { role: 'viewer' }),
    'traces-loading': { ...scene('traces', {}), queries: unanswered },
    'traces-stale': scene('traces', {}, { loses: true }),
    'traces-lost': scene('traces', { targets: () => lostTargets(now) }),
    trace: trace(now),
    'trace-many': trace(now, { truncated: true, keyCount: 20_000, clientCount: 5000 }, 200),
    'trace-empty': trace(now, { keys: [], clients: [], attempts: 0, failed: 0 }),
    'trace-stopped': trace(now, { ...ended, state: 'stopped', stoppedBecause: 'redis-slow' }),
    'trace-blind': trace(now, {
      cost: {
        ...sampleTrace(now).cost,
        redisCpuShare: null,
        redisCpuBaseline: null,
        outputBufferBytes: null,
      },
    }),
    'trace-gone': scene('trace', { trace: () => gone }),
  };
}
