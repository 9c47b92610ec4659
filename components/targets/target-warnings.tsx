'use client';

import { useTranslations } from 'use-intl';
import type { TargetWarning } from '@/lib/protocol/target';
import { AlertCodeLabel, useSaid } from '@/components/labels';
import { Notice } from '@/components/ui/notice';
import { PasteLine } from './paste-line';

/** Whether the remedy is for people to read: what is to be pasted is the same in every language. */
const isSentence = ({ sentences }: TargetWarning): boolean =>
  sentences?.remedy.some(({ id }) => id !== 'verbatim') ?? false;

export function TargetWarnings({ warnings }: { warnings: readonly TargetWarning[] }) {
  const t = useTranslations('targets');
  const say = useSaid();
  if (warnings.length === 0) return null;
  return (
    <ul aria-label={t('warnings')} className="flex flex-col gap-2">
      {warnings.map((warning) => (
        <li key={`${warning.code} ${warning.message}`}>
          <Notice tone="warning" title={<AlertCodeLabel code={warning.code} />}>
            <p>{say(warning.sentences?.message, warning.message)}</p>
            {isSentence(warning) ? (
              <p>{say(warning.sentences?.remedy, warning.remedy)}</p>
            ) : (
              <PasteLine
                text={say(warning.sentences?.remedy, warning.remedy)}
                label={t('copyRemedy')}
              />
            )}
          </Notice>
        </li>
      ))}
    </ul>
  );
}
