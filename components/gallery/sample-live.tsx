'use client';

import { useEffect, useState, type ReactNode } from 'react';
import { LiveContext } from '@/components/live/live-context';
import type { SessionView } from '@/lib/protocol/session';
import { LiveStore } from '@/lib/live/live-store';
import { createTickClock } from '@/lib/live/tick-clock';
import type { LiveTransport } from '@/lib/live/transport';
import type { ErrorBody } from '@/lib/protocol/errors';
import type { Ack, Snapshot } from '@/lib/protocol/events';

type Answers = Record<string, (params: unknown) => unknown>;

export interface SampleLiveOptions {
  /** By query: its data, or an error thrown as `ErrorBody`. A query without an entry goes on loading. */
  queries: Answers;
  actions: Answers;
  session: SessionView;
  /** Loses the connection soon after the first figures. */
  loses?: boolean;
}

const LOSES_AFTER_MS = 600;
const ANSWERS_AFTER_MS = 60;

const isError = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'error' in value;

async function answer<T>(make: (() => unknown) | undefined): Promise<Ack<T>> {
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER_MS));
  if (!make) return new Promise(() => undefined);
  const value = make();
  return isError(value) ? { ok: false, ...value } : { ok: true, value: asAnswer<T>(value) };
}

/** The gallery's answers are written against the types of the protocol, by name of query. */
const asAnswer = <T,>(value: unknown): T => value as T;

function sampleTransport({ queries, actions, loses }: SampleLiveOptions): LiveTransport {
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const later = (ms: number, run: () => void) => timers.add(setTimeout(run, ms));
  return {
    start: ({ connection }) => {
      later(0, () => connection('connected', null));
      if (loses) later(LOSES_AFTER_MS, () => connection('disconnected', null));
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
    open: (query, params) => {
      const make = queries[query];
      return answer<Snapshot>(
        make &&
          (() => {
            const data = make(params);
            const stream = JSON.stringify([query, params]);
            return isError(data) ? data : { stream, version: 1, at: Date.now(), data };
          }),
      );
    },
    close: () => undefined,
    run: (action, input) => {
      const make = actions[action];
      return answer(make && (() => make(input)));
    },
  };
}

/** Live data without a server: for looking at components in states that are hard to bring about. */
export function SampleLive(props: SampleLiveOptions & { children: ReactNode }) {
  const [live] = useState(() => {
    const store = new LiveStore(sampleTransport(props));
    return { store, clock: createTickClock(() => store.serverNow()), session: props.session };
  });
  useEffect(() => {
    live.store.start();
    return () => live.store.stop();
  }, [live]);
  return <LiveContext value={live}>{props.children}</LiveContext>;
}
