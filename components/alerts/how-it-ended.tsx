'use client';

import { useTranslations } from 'use-intl';
import { EvidenceMark, useSaid } from '@/components/labels';
import type { AlertEnding } from '@/lib/protocol/alert';

/** What ended the condition, by whom, and how that is known. */
export function HowItEnded({ ending }: { ending: AlertEnding }) {
  const t = useTranslations('alerts');
  const say = useSaid();
  return (
    <p className="max-w-prose break-words">
      <span className="text-ink-3">{t('ending')}:</span> {say(ending.sentences, ending.text)}{' '}
      <EvidenceMark evidence={ending.evidence} named className="align-middle" />
    </p>
  );
}
