'use client';

import { useTranslations } from 'use-intl';
import type { Gap } from '@/lib/protocol/target';
import { ClockTime, DurationText } from '@/components/labels';

const SHOWN = 8;

/** When events may have been missed, newest first. */
export function GapList({ gaps }: { gaps: readonly Gap[] }) {
  const t = useTranslations('targets');
  const reasons = useTranslations('labels.gapReasons');
  const newest = [...gaps].sort((a, b) => b.from - a.from);
  return (
    <div className="min-w-0">
      <h4 title={t('gapsMeaning')} className="mb-1.5 text-sm text-ink-3">
        {t('gaps')}
      </h4>
      {newest.length === 0 ? (
        <p className="text-sm text-ink-2">{t('noGaps')}</p>
      ) : (
        <ul className="flex flex-col gap-1 text-sm">
          {newest.slice(0, SHOWN).map((gap) => (
            <li key={`${gap.from} ${gap.reason}`} className="flex flex-wrap gap-x-2">
              <ClockTime at={gap.from} />
              <span className={gap.to === null ? 'font-medium text-critical' : 'text-ink-2'}>
                {gap.to === null ? t('gapLasting') : <DurationText ms={gap.to - gap.from} />}
              </span>
              <span className="text-ink-3">{reasons(gap.reason)}</span>
            </li>
          ))}
        </ul>
      )}
      {newest.length > SHOWN && (
        <p className="mt-1 text-xs text-ink-3">{t('moreGaps', { count: newest.length - SHOWN })}</p>
      )}
    </div>
  );
}
