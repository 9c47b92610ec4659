'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DEFAULT_PERIOD_MS, PeriodField } from '@/components/alerts/period-field';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';
import { FittingAlerts } from '@/components/forms/fitting-alerts';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction, useNow } from '@/components/hooks';
import { isReason } from '@/lib/protocol/reason';
import type { Matcher } from '@/lib/protocol/rules';
import { compileMatcher } from '@/lib/analysis/alert-matcher';
import { isMatcher } from './matching';
import { MatcherFields } from './matcher-fields';

interface Props {
  /** What the fields begin with. */
  matcher?: Matcher;
  onClose: () => void;
}

/** Keeps alerts quiet by what they have in common, those to come too. Shows which of the open ones that are. */
export function SilenceDialog({ matcher: given = {}, onClose }: Props) {
  const t = useTranslations('silences');
  const now = useNow();
  const { items } = useOpenAlerts();
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
      <MatcherFields matcher={matcher} onChange={setMatcher} />
      {isMatcher(matcher) ? (
        <FittingAlerts label={t('preview')} alerts={items} fits={compileMatcher(matcher)} />
      ) : (
        <p className="text-sm text-ink-2">{t('tooWide')}</p>
      )}
      <PeriodField value={periodMs} onChange={setPeriodMs} />
      <ReasonArea label={t('reason')} hint={t('reasonHint')} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
