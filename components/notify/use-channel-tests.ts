'use client';

import { useState } from 'react';
import { useAction } from '@/components/hooks';
import { bodyOf, isCodedError, type ErrorBody } from '@/lib/protocol/errors';
import type { TestOutcome } from '@/lib/protocol/notify';

/** What came of the last test of a channel: it is under way, was answered, or could not be made. */
export type ChannelTest =
  | { state: 'pending' }
  | { state: 'done'; outcome: TestOutcome }
  | { state: 'failed'; error: ErrorBody['error'] };

/** Sends test messages, and remembers the last of each channel while the page is open. */
export function useChannelTests(): {
  tests: ReadonlyMap<string, ChannelTest>;
  test: (id: string) => Promise<void>;
} {
  const { run } = useAction('notify.test');
  const [tests, setTests] = useState<ReadonlyMap<string, ChannelTest>>(new Map());
  const set = (id: string, test: ChannelTest) =>
    setTests((known) => new Map([...known, [id, test]]));
  return {
    tests,
    test: async (id) => {
      set(id, { state: 'pending' });
      try {
        set(id, { state: 'done', outcome: await run({ id }) });
      } catch (error) {
        // Shown beside the channel.
        const told = isCodedError(error)
          ? bodyOf(error).error
          : { code: 'INTERNAL' as const, message: String(error) };
        set(id, { state: 'failed', error: told });
      }
    },
  };
}
