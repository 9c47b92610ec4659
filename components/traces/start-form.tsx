'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { LONGEST_TRACE_S } from '@/lib/protocol/closed-sets';
import { useAction, useLive } from '@/components/hooks';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { traceHref } from './trace-href';

const DEFAULT_SECONDS = '5';

/** The number of seconds that a text says; null when it is none that a trace may last. */
function secondsIn(text: string): number | null {
  const seconds = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0;
  return seconds >= 1 && seconds <= LONGEST_TRACE_S ? seconds : null;
}

/** Says what a trace costs, and starts one. */
export function StartForm() {
  const t = useTranslations('traces');
  const errors = useTranslations('errors');
  const router = useRouter();
  const targets = useLive('targets', {});
  const action = useAction('trace.start');
  const [text, setText] = useState(DEFAULT_SECONDS);
  const [reason, setReason] = useState('');
  const seconds = secondsIn(text);
  const target = targets.data?.[0]?.id;
  const submit = async () => {
    if (seconds === null || target === undefined) return;
    try {
      const { id } = await action.run({ target, seconds, reason: reason.trim() });
      router.push(traceHref(id));
    } catch {
      // The action keeps the error, and the form shows it.
    }
  };
  return (
    <form
      aria-label={t('start')}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.pending) void submit();
      }}
    >
      <Notice tone="warning" title={t('costTitle')}>
        {t('costText')}
      </Notice>
      <div className="grid max-w-2xl gap-3 sm:grid-cols-[8rem_1fr]">
        <Field
          label={t('seconds')}
          hint={t('secondsHint')}
          error={seconds === null ? t('secondsWrong') : undefined}
        >
          {(field) => (
            <Input
              {...field}
              inputMode="numeric"
              value={text}
              maxLength={2}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('reason')} hint={t('reasonHint')}>
          {(field) => (
            <Input
              {...field}
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </div>
      {action.error && (
        <Notice tone="critical" role="alert" title={errors(action.error.code)}>
          <ErrorText error={action.error} />
        </Notice>
      )}
      <div>
        <Button
          type="submit"
          size="md"
          look="primary"
          disabled={seconds === null || target === undefined}
          pending={action.pending}
        >
          {t('startButton', { seconds: seconds ?? 0 })}
        </Button>
      </div>
    </form>
  );
}
