'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DEFAULT_PERIOD_MS, PeriodField } from '@/components/alerts/period-field';
import { OPEN_LIMIT, useOpenAlerts } from '@/components/alerts/use-open-alerts';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction, useNow } from '@/components/hooks';
import { AlertCodeLabel, KeyText, SeverityIcon } from '@/components/labels';
import type { Alert } from '@/lib/protocol/alert';
import { isReason } from '@/lib/protocol/reason';
import type { Matcher } from '@/lib/protocol/rules';
import { fitting, isMatcher } from './matching';
import { MatcherFields } from './matcher-fields';

interface Props {
  /** What the fields begin with. */
  matcher?: Matcher;
  onClose: () => void;
}

/** Keeps alerts quiet by what they have in common, those to come too. Shows which of the open ones that are. */
export function SilenceDialog({ matcher: given = {}, onClose }: Props) {
  const t = useTranslations('alerts.silences');
  const now = useNow();
  const { items, groups } = useOpenAlerts();
  const { run, pending, error } = useAction('silence.add');
  const [matcher, setMatcher] = useState(given);
  const [periodMs, setPeriodMs] = useState(DEFAULT_PERIOD_MS);
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('add')}
      description={t('addText')}
      confirm={{ text: t('add'), look: 'primary' }}
      isValid={isMatcher(matcher) && isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => run({ matcher, untilMs: now + periodMs, reason: reason.trim() })}
      onClose={onClose}
    >
      <MatcherFields matcher={matcher} groups={groups} onChange={setMatcher} />
      <Preview matcher={matcher} alerts={items} />
      <PeriodField value={periodMs} onChange={setPeriodMs} />
      <ReasonArea label={t('reason')} hint={t('reasonHint')} value={reason} onChange={setReason} />
    </FormDialog>
  );
}

const LISTED = 5;

function Preview({ matcher, alerts }: { matcher: Matcher; alerts: readonly Alert[] }) {
  const t = useTranslations('alerts.silences');
  if (!isMatcher(matcher)) return <p className="text-sm text-ink-2">{t('tooWide')}</p>;
  const fits = fitting(matcher, alerts);
  return (
    <section aria-label={t('preview')} className="rounded-md border border-line bg-sunken p-3">
      <p aria-live="polite" className="text-sm font-medium">
        {alerts.length >= OPEN_LIMIT
          ? t('fitsAtLeast', { count: fits.length })
          : t('fits', { count: fits.length })}
      </p>
      {fits.length > 0 && (
        <ul className="mt-1.5 flex flex-col gap-0.5 text-xs">
          {fits.slice(0, LISTED).map((alert) => (
            <li key={alert.id} className="flex min-w-0 items-center gap-1.5">
              <SeverityIcon severity={alert.severity} size={12} />
              <span className="shrink-0">
                <AlertCodeLabel code={alert.code} />
              </span>
              <KeyText text={alert.subject.label} className="text-ink-2" />
            </li>
          ))}
          {fits.length > LISTED && (
            <li className="text-ink-3">{t('andMore', { count: fits.length - LISTED })}</li>
          )}
        </ul>
      )}
    </section>
  );
}
