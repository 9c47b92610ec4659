'use client';

import { useTranslations } from 'use-intl';
import { DurationText, Figure } from '@/components/labels';
import type { Evidence } from '@/lib/protocol/lock';

/** Nothing known is a hatched "?"; known and never happened is said in a word. */
export function Percentile({ ms, evidence }: { ms: number | null; evidence: Evidence }) {
  const t = useTranslations('waits');
  if (evidence === 'unknown') return <Figure evidence="unknown">{null}</Figure>;
  if (ms === null) return <span className="font-normal text-ink-3">{t('noSamples')}</span>;
  return (
    <Figure evidence={evidence}>
      <DurationText ms={ms} />
    </Figure>
  );
}
