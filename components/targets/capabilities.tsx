'use client';

import { useTranslations } from 'use-intl';
import type { Target } from '@/lib/protocol/target';
import { Tick } from './can-see-ticks';
import { PasteLine } from './paste-line';

const NAMES = ['config', 'info', 'client', 'eval', 'pubsub'] as const;

/** What the console may ask of this Redis; for what it may not, what is lost and the rule that grants it. */
export function Capabilities({
  capabilities,
  missingRules,
}: Pick<Target, 'capabilities' | 'missingRules'>) {
  const t = useTranslations('targets');
  const denied = NAMES.filter((name) => !capabilities[name]);
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-wrap gap-x-4 gap-y-2">
        {NAMES.map((name) => (
          <li key={name} className="flex items-center gap-1.5 text-sm">
            <Tick answer={capabilities[name]} />
            {t(`capabilityNames.${name}`)}
            <span className="sr-only">{t(capabilities[name] ? 'yes' : 'no')}</span>
          </li>
        ))}
      </ul>
      {denied.length === 0 && missingRules.length === 0 && (
        <p className="text-sm text-ink-2">{t('allPermitted')}</p>
      )}
      {denied.map((name) => (
        <p key={name} className="text-sm text-ink-2">
          <span className="font-medium text-ink">{t(`capabilityNames.${name}`)}</span>:{' '}
          {t(`capabilityLoss.${name}`)}
        </p>
      ))}
      {missingRules.map(({ capability, rule }) => (
        <div key={`${capability} ${rule}`} className="text-sm">
          <span className="text-ink-3">
            {t('rule')} ({capability})
          </span>
          <PasteLine text={rule} label={t('copyRule')} />
        </div>
      ))}
    </div>
  );
}
