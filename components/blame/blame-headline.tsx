'use client';

import { useFormatter, useTranslations } from 'use-intl';
import type { TimeRange } from '@/components/charts/time-range';
import { DurationText, EvidenceMark, Figure, KeyText, useDurationText } from '@/components/labels';
import type { Blame } from '@/lib/protocol/measures';
import { blameLines } from './blame-lines';
import { useBlameWords } from './use-blame-words';

interface Props {
  data: Blame;
  range: TimeRange;
}

/** The answer in one sentence, and how much waiting there was in all. */
export function BlameHeadline({ data, range }: Props) {
  const t = useTranslations('blame');
  const ranges = useTranslations('charts.range.names');
  const format = useFormatter();
  const duration = useDurationText();
  const words = useBlameWords();
  const first = blameLines(data.leaves, 'holder').find(({ cause }) => cause === 'holder');
  const waiters = data.totalMs / Math.max(1, data.to - data.from);
  const said = first && {
    owner: () => <KeyText text={words.cause(first)} className="inline-flex! align-bottom" />,
    cost: (text: React.ReactNode) => <strong className="font-semibold">{text}</strong>,
    duration: duration(first.waitMs),
  };
  return (
    <section
      aria-label={t('total')}
      className="flex flex-wrap items-end gap-x-8 gap-y-3 rounded-lg border border-line bg-surface px-3 py-2.5"
    >
      {first && said && (
        <div className="min-w-0 flex-1 basis-80">
          <p className="max-w-full text-lg break-words">
            {range.fixed
              ? t.rich('headline.then', said)
              : t.rich('headline.live', { ...said, range: ranges(range.name) })}
          </p>
          <p className="text-xs text-ink-3">
            {t('headline.share', {
              share: data.totalMs === 0 ? 0 : first.waitMs / data.totalMs,
            })}
          </p>
        </div>
      )}
      <dl className="flex gap-6">
        <div>
          <dt className="flex items-center gap-2 text-xs text-ink-3">
            {t('total')}
            <EvidenceMark evidence={data.evidence} named />
          </dt>
          <dd className="text-xl font-semibold tracking-tight">
            <Figure evidence={data.evidence}>
              <DurationText ms={data.totalMs} />
            </Figure>
          </dd>
        </div>
        <div>
          <dt className="text-xs text-ink-3">{t('averageLabel')}</dt>
          <dd className="text-xl font-semibold tracking-tight">
            <Figure evidence={data.evidence}>
              {format.number(waiters, { maximumSignificantDigits: 3 })}
            </Figure>
          </dd>
        </div>
      </dl>
    </section>
  );
}
