'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { setPassword, type Answered } from './account-requests';

const MIN_LENGTH = 10;
const BLANK = { current: '', next: '', again: '' };

export function PasswordForm() {
  const t = useTranslations('settings');
  const [fields, setFields] = useState(BLANK);
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<Answered<unknown> | null>(null);
  const differs = fields.again !== '' && fields.again !== fields.next;
  const isValid = fields.next.length >= MIN_LENGTH && fields.again === fields.next;
  const change = (part: Partial<typeof BLANK>) => {
    setFields({ ...fields, ...part });
    setOutcome(null);
  };
  const submit = async () => {
    setPending(true);
    const answer = await setPassword(fields.current, fields.next);
    setPending(false);
    setOutcome(answer);
    if (answer.ok) setFields(BLANK);
  };
  return (
    <form
      aria-label={t('password')}
      className="flex max-w-sm flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && !pending) void submit();
      }}
    >
      <Field label={t('currentPassword')} hint={t('currentHint')}>
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="current-password"
            value={fields.current}
            onChange={(event) => change({ current: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('newPassword')} hint={t('newHint')}>
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="new-password"
            value={fields.next}
            onChange={(event) => change({ next: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('repeat')} error={differs ? t('repeatWrong') : undefined}>
        {(ids) => (
          <Input
            {...ids}
            type="password"
            autoComplete="new-password"
            value={fields.again}
            onChange={(event) => change({ again: event.target.value })}
          />
        )}
      </Field>
      {outcome && <Outcome outcome={outcome} done={t('changed')} />}
      <div>
        <Button type="submit" look="primary" size="md" disabled={!isValid} pending={pending}>
          {t('change')}
        </Button>
      </div>
    </form>
  );
}

/** Says what came of a form. */
export function Outcome({ outcome, done }: { outcome: Answered<unknown>; done: string }) {
  const t = useTranslations('settings');
  if (outcome.ok) {
    return (
      <Notice tone="ok" role="alert">
        {done}
      </Notice>
    );
  }
  return (
    <Notice tone="critical" role="alert" title={t('failed')}>
      {outcome.refusal ? <ErrorText error={outcome.refusal} /> : t('unreachable')}
    </Notice>
  );
}
