'use client';

import { useCallback, useState } from 'react';
import type { ActionInput, ActionName, ActionResult } from '@/lib/protocol/actions';
import { bodyOf, isCodedError, type ErrorBody } from '@/lib/protocol/errors';
import { useLiveContext } from '@/components/live/live-context';

type ActionError = ErrorBody['error'];

export interface Action<N extends ActionName> {
  /** Rejects with the coded error that `error` shows as well, also where making the input failed. */
  run: (input: ActionInput<N> | (() => Promise<ActionInput<N>>)) => Promise<ActionResult<N>>;
  pending: boolean;
  error: ActionError | null;
  reset: () => void;
}

const errorOf = (reason: unknown): ActionError =>
  isCodedError(reason) ? bodyOf(reason).error : { code: 'INTERNAL', message: String(reason) };

/** Runs an action of the console. Nothing on the page changes by it: the effect arrives as live data. */
export function useAction<N extends ActionName>(action: N): Action<N> {
  const { store } = useLiveContext();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);

  const run = useCallback(
    async (input: Parameters<Action<N>['run']>[0]): Promise<ActionResult<N>> => {
      setPending(true);
      setError(null);
      try {
        return await store.run(action, typeof input === 'function' ? await input() : input);
      } catch (reason) {
        setError(errorOf(reason));
        throw reason;
      } finally {
        setPending(false);
      }
    },
    [store, action],
  );
  const reset = useCallback(() => setError(null), []);

  return { run, pending, error, reset };
}
