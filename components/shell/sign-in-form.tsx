'use client';

import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorText } from '@/components/labels/error-text';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { signIn, type SignInOutcome } from './auth-requests';
import { Logo } from './logo';
import { safeNextPath } from './safe-next-path';

interface Props {
  /** Where the person wanted to go. */
  next: string | null;
  /** The code with which a one-time link failed. */
  linkError: string | null;
}

export function SignInForm({ next, linkError }: Props) {
  const t = useTranslations('signIn');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    const result = await signIn(email, password);
    setOutcome(result);
    if (result.kind === 'signed-in') window.location.assign(safeNextPath(next));
    else setPending(false);
  };
  return (
    <div className="w-full max-w-sm">
      <div className="mb-6 flex items-center gap-3">
        <Logo size={32} />
        <div>
          <p className="text-lg leading-tight font-semibold tracking-tight">{t('product')}</p>
          <p className="text-sm text-ink-2">{t('tagline')}</p>
        </div>
      </div>
      <form
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-3.5 rounded-lg border border-line bg-surface p-5"
      >
        <h1 className="text-base font-semibold">{t('title')}</h1>
        {linkError && outcome === null && <Notice tone="warning">{t('badLink')}</Notice>}
        <FailureNotice outcome={outcome} />
        <Field label={t('email')}>
          {(ids) => (
            <Input
              {...ids}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('password')}>
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" size="md" pending={pending}>
          {t('submit')}
        </Button>
      </form>
      <p className="mt-4 px-1 text-xs text-ink-3">{t('firstTime')}</p>
    </div>
  );
}

function FailureNotice({ outcome }: { outcome: SignInOutcome | null }) {
  const t = useTranslations('signIn');
  if (outcome === null || outcome.kind === 'signed-in') return null;
  const text = {
    wrong: () => t('wrong'),
    'too-many': () => t('tooMany'),
    unreachable: () => t('unreachable'),
    failed: () => t('failed', { status: outcome.kind === 'failed' ? outcome.status : 0 }),
  }[outcome.kind]();
  const because = outcome.kind === 'failed' ? outcome.because : null;
  return (
    <Notice tone="critical" role="alert">
      {text} {because && <ErrorText error={because} />}
    </Notice>
  );
}
