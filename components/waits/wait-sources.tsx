'use client';

import { useTranslations } from 'use-intl';
import type { Waits } from '@/lib/protocol/measures';
import { EvidenceMark } from '@/components/labels';

export function WaitSources({ sources }: { sources: Waits['sources'] }) {
  const t = useTranslations('waits');
  if (sources.length === 0) return <p className="text-sm text-ink-2">{t('noSource')}</p>;
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {sources.map(({ source, evidence, count }) => (
        <li key={source} className="flex items-baseline gap-3">
          <EvidenceMark evidence={evidence} named className="w-20 shrink-0" />
          <span className="min-w-0 flex-1 text-ink-2">{t(`sources.${source}`)}</span>
          <span className="shrink-0">{t('sourceCount', { count })}</span>
        </li>
      ))}
    </ul>
  );
}
