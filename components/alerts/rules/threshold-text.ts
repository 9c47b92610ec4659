'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { Threshold } from '@/lib/protocol/rules';
import { writeDuration } from './duration-input';
import type { RuleUnit } from './rule-form';

/** Says a figure of a rule in its unit: "1m 30s", "26", "5 per second". */
export function useAmountText(): (value: number, unit: RuleUnit) => string {
  const t = useTranslations('rules');
  const format = useFormatter();
  return (value, unit) => {
    if (unit === 'ms') return writeDuration(value);
    const number = format.number(value);
    return unit === 'per-second' ? t('perSecond', { number }) : number;
  };
}

/** Says a threshold in a few words. */
export function useThresholdText(): (threshold: Threshold | null, unit: RuleUnit) => string {
  const t = useTranslations('rules');
  const amount = useAmountText();
  return (threshold, unit) => {
    if (threshold === null) return t('noThreshold');
    if (threshold.kind === 'static') return amount(threshold.value, unit);
    return t('adaptive', {
      factor: threshold.factor,
      least: amount(threshold.least, unit),
    });
  };
}
