import { randomUUID } from 'node:crypto';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { Trace } from '@/lib/protocol/trace';
import { openCostProbe } from './cost-probe';
import type { TraceRequest, Traces } from './trace-contract';
import { TraceRun, type TraceRunOptions } from './trace-run';

const MOST_TRACES = 20;

type TracesOptions = Omit<TraceRunOptions, 'id' | 'request' | 'probe'>;

/** Runs and remembers the traces of one target. */
export function createTraces(options: TracesOptions): Traces {
  const { target, url } = options;
  let running: TraceRun | null = null;
  let starting: Promise<TraceRun> | null = null;
  let isStopped = false;
  /** Newest first, as they were when they ended. */
  let past: Trace[] = [];
  /** The last that ended, for what it counted of single locks. */
  let last: TraceRun | null = null;
  let version = 0;

  const onChange = (): void => {
    version++;
    if (running?.isOver) {
      past = [running.view(), ...past].slice(0, MOST_TRACES);
      last = running;
      running = null;
    }
    options.onChange();
  };

  const refuseSecond = (): void => {
    if (running) {
      const { id, endsAt, actor } = running.summary();
      throw new CodedError('CONFLICT', said('trace:running', { target, id, actor, endsAt }), {
        running: id,
        ...{ endsAt, actor },
      });
    }
    if (starting) throw new CodedError('CONFLICT', said('trace:starting', { target }));
  };

  const begin = async (request: TraceRequest): Promise<TraceRun> => {
    const probe = await openCostProbe(url);
    const run = new TraceRun({ ...options, id: randomUUID(), request, probe, onChange });
    await run.start();
    return run;
  };

  const unknown = (id: string): CodedError =>
    new CodedError('NOT_FOUND', said('trace:unknown', { id, most: MOST_TRACES }));

  return {
    start: async (request) => {
      if (isStopped)
        throw new CodedError('TARGET_UNAVAILABLE', said('unreachable:not-watching', {}));
      refuseSecond();
      starting = begin(request);
      try {
        running = await starting;
      } finally {
        starting = null;
      }
      const summary = running.summary();
      if (isStopped) running.finish('console-stopped');
      onChange();
      return summary;
    },
    end: (id, actor) => {
      if (past.some((trace) => trace.id === id)) {
        throw new CodedError('CONFLICT', said('trace:over', { id }));
      }
      if (running?.id !== id) throw unknown(id);
      const run = running;
      run.finish('asked', actor);
      return run.summary();
    },
    get: (id) => {
      const found = running?.id === id ? running.view() : past.find((trace) => trace.id === id);
      if (!found) throw unknown(id);
      return found;
    },
    list: () => [
      ...(running ? [running.summary()] : []),
      ...past.map(({ keys: _keys, clients: _clients, ...summary }) => summary),
    ],
    sampled: (db, key) => running?.sampled(db, key) ?? last?.sampled(db, key) ?? null,
    get version() {
      return version;
    },
    stop: async () => {
      isStopped = true;
      // One that cannot begin is told to whoever asked for it.
      const run = running ?? (await starting?.catch(() => null));
      run?.finish('console-stopped');
      await run?.closed;
    },
  };
}
