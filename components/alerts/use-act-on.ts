'use client';

import { useState } from 'react';
import { useAction, useNow } from '@/components/hooks';
import type { Alert } from '@/lib/protocol/alert';
import { bodyOf, isCodedError, type ErrorBody } from '@/lib/protocol/errors';
import type { Sentence } from '@/lib/protocol/sentence';
import { inParts, type ActResult } from './in-parts';

export type AlertAct = 'acknowledge' | 'silence';

interface Ask {
  reason: string;
  /** For how long to silence. */
  periodMs: number;
}

export interface ActOn {
  /** Acts on all, and says whether all went well. */
  run: (alerts: readonly Alert[], ask: Ask) => Promise<boolean>;
  pending: boolean;
  /** Why nothing was done. */
  error: ErrorBody['error'] | null;
  /** One by one, where there are several and not all went well. */
  results: readonly ActResult[] | null;
}

/** As many as the server acknowledges at once. */
const AT_ONCE = 500;

/** Acknowledges or silences one alert or several. */
export function useActOn(act: AlertAct): ActOn {
  const now = useNow();
  const acknowledge = useAction('alert.acknowledge');
  const acknowledgeMany = useAction('alert.acknowledge-many');
  const silence = useAction('alert.silence');
  const [pending, setPending] = useState(false);
  const [results, setResults] = useState<readonly ActResult[] | null>(null);

  const acknowledgeAll = async (ids: string[], { reason }: Ask): Promise<ActResult[]> => {
    return await inParts(ids, AT_ONCE, async (some) => {
      const { results: done } = await acknowledgeMany.run({ ids: some, reason });
      return done.map(resultOf);
    });
  };
  const silenceAll = async (ids: string[], { reason, periodMs }: Ask): Promise<ActResult[]> => {
    const all: ActResult[] = [];
    for (const id of ids) {
      const done = silence.run({ id, reason, untilMs: now + periodMs });
      all.push({ id, failure: await failureOf(done) });
    }
    return all;
  };
  const several = async (ids: string[], ask: Ask): Promise<boolean> => {
    const all = await (act === 'acknowledge' ? acknowledgeAll : silenceAll)(ids, ask);
    const isAllDone = all.every(({ failure }) => failure === null);
    if (!isAllDone) setResults(all);
    return isAllDone;
  };
  const run: ActOn['run'] = async (alerts, ask) => {
    const [first, ...others] = alerts.map(({ id }) => id);
    if (first === undefined) return true;
    const { reason, periodMs } = ask;
    setPending(true);
    try {
      if (others.length > 0) return await several([first, ...others], ask);
      if (act === 'acknowledge') await acknowledge.run({ id: first, reason });
      else await silence.run({ id: first, reason, untilMs: now + periodMs });
      return true;
    } catch {
      // The action keeps the error, and the dialog shows it.
      return false;
    } finally {
      setPending(false);
    }
  };
  const error = acknowledge.error ?? acknowledgeMany.error ?? silence.error;
  return { run, pending, error, results };
}

interface ManyResult {
  id: string;
  outcome: 'acknowledged' | 'refused' | 'failed';
  code: string | null;
  message: string | null;
  sentences?: Sentence[] | undefined;
}

const resultOf = ({ id, outcome, code, message, sentences }: ManyResult): ActResult => ({
  id,
  failure: outcome === 'acknowledged' ? null : { message: message ?? code ?? outcome, sentences },
});

async function failureOf(done: Promise<unknown>): Promise<ActResult['failure']> {
  try {
    await done;
    return null;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return bodyOf(error).error;
  }
}
