'use client';

import { useState } from 'react';
import { useAction, useNow } from '@/components/hooks';
import { bodyOf, isCodedError, type ErrorBody } from '@/lib/protocol/errors';
import type { Alert } from '@/lib/protocol/alert';

export type AlertAct = 'acknowledge' | 'silence';

/** What came of the act for one alert; `error` null = done. */
export interface ActResult {
  id: string;
  error: ErrorBody['error'] | null;
}

interface Ask {
  reason: string;
  /** For how long to silence. */
  periodMs: number;
}

export interface ActOn {
  /** Acts on all, and says whether all went well. */
  run: (alerts: readonly Alert[], ask: Ask) => Promise<boolean>;
  pending: boolean;
  /** Why nothing was done; of one alert alone. */
  error: ErrorBody['error'] | null;
  /** One by one, where there are several and not all went well. */
  results: readonly ActResult[] | null;
}

/** Acknowledges or silences, one after the other. */
export function useActOn(act: AlertAct): ActOn {
  const now = useNow();
  const acknowledge = useAction('alert.acknowledge');
  const silence = useAction('alert.silence');
  const [pending, setPending] = useState(false);
  const [results, setResults] = useState<readonly ActResult[] | null>(null);
  const one = async ({ id }: Alert, { reason, periodMs }: Ask): Promise<ActResult> => {
    try {
      if (act === 'acknowledge') await acknowledge.run({ id, reason });
      else await silence.run({ id, reason, untilMs: now + periodMs });
      return { id, error: null };
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return { id, error: bodyOf(error).error };
    }
  };
  const run: ActOn['run'] = async (alerts, ask) => {
    setPending(true);
    const all: ActResult[] = [];
    try {
      for (const alert of alerts) all.push(await one(alert, ask));
    } finally {
      setPending(false);
    }
    const isAllDone = all.every(({ error }) => error === null);
    if (!isAllDone && alerts.length > 1) setResults(all);
    return isAllDone;
  };
  const { error } = act === 'acknowledge' ? acknowledge : silence;
  return { run, pending, error, results };
}
