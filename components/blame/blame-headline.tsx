'use client';

import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { RANGE_MS, type TimeRange } from '@/components/charts/time-range';
import {
  DurationText,
  EvidenceMark,
  Figure,
  KeyText,
  useClockText,
  useDurationText,
} from '@/components/labels';
import type { Blame } from '@/lib/protocol/measures';
import { blameLines, type BlameLine } from './blame-lines';
import { useBlameWords } from './use-blame-words';

/** Ranges are cut to whole steps of history. */
const WHOLE_SHARE = 0.95;

interface Props {
  data: Blame;
  range: TimeRange;
}

/** The answer in one sentence, and how much waiting there was in all. */
export function BlameHeadline({ data, range }: Props) {
  const t = useTranslations('blame');
  const format = useFormatter();
  const first = blameLines(data.leaves, 'holder').find(({ cause }) => cause === 'holder');
  const waiters = data.totalMs / Math.max(1, data.to - data.from);
  return (
    <section
      aria-label={t('total')}
      className="flex flex-wrap items-end gap-x-8 gap-y-3 rounded-lg border border-line bg-surface px-3 py-2.5"
    >
      {first && (
        <div className="min-w-0 flex-1 basis-80">
          <p className="max-w-full text-lg break-words">
            <Sentence first={first} data={data} range={range} />
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

function Sentence({ first, data, range }: Props & { first: BlameLine }) {
  const t = useTranslations('blame.headline');
  const ranges = useTranslations('charts.range.names');
  const duration = useDurationText();
  const clock = useClockText();
  const words = useBlameWords();
  const said = {
    owner: () => <KeyText text={words.cause(first)} className="inline-flex! align-bottom" />,
    cost: (text: ReactNode) => <strong className="font-semibold">{text}</strong>,
    duration: duration(first.waitMs),
  };
  if (range.fixed) return t.rich('between', said);
  // A watch that began a moment ago cannot speak of all the range.
  const isWhole = data.to - data.from >= RANGE_MS[range.name] * WHOLE_SHARE;
  if (isWhole) return t.rich('live', { ...said, range: ranges(range.name) });
  return t.rich('since', { ...said, time: clock(data.from, data.to) });
}
