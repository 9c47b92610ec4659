'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import { Figure, KeyText, useDurationText } from '@/components/labels';
import { HEAT_METRICS } from '@/lib/protocol/closed-sets';
import type { BlameLeaf, HeatCell, HeatMetric } from '@/lib/protocol/measures';
import { metricFigure } from './heat-format';

/** All metrics of the cell side by side, the one of the map set off. */
export function PinnedFigures({ cell, metric }: { cell: HeatCell; metric: HeatMetric }) {
  const t = useTranslations('heatmap');
  return (
    <dl className="grid grid-cols-[auto_1fr_auto_1fr] gap-x-2 gap-y-0.5">
      {HEAT_METRICS.map((name) => {
        const value = cell.values.find((each) => each.metric === name)?.value ?? null;
        return (
          <div key={name} className="contents">
            <dt
              title={t(`metricMeanings.${name}`)}
              className={clsx(name === metric ? 'font-semibold' : 'text-ink-2')}
            >
              {t(`metricsShort.${name}`)}
            </dt>
            <dd className={clsx('pr-1 text-right', name === metric && 'font-semibold')}>
              <Figure evidence="observed">
                {value === null ? null : metricFigure(name, value)}
              </Figure>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Who made others wait in the cell, the greatest first. */
export function PinnedBlame({ cell }: { cell: HeatCell }) {
  const t = useTranslations('heatmap');
  const duration = useDurationText();
  if (cell.blame.length === 0) return null;
  const most = cell.blame[0]?.waitMs ?? 0;
  return (
    <section className="mt-2.5">
      <h2 className="mb-1 font-medium text-ink-2">{t('blame')}</h2>
      <ul className="flex flex-col gap-1">
        {cell.blame.map((leaf, place) => (
          <li key={place} className="grid grid-cols-[1fr_auto] items-center gap-2">
            <span className="relative min-w-0 overflow-hidden rounded-sm px-1 py-px">
              <span
                aria-hidden
                className="absolute inset-y-0 left-0 rounded-sm bg-accent-soft"
                style={{ width: `${most > 0 ? (leaf.waitMs / most) * 100 : 0}%` }}
              />
              <span className="relative block min-w-0">
                <Culprit leaf={leaf} />
              </span>
            </span>
            <span className="whitespace-nowrap text-ink-2">{duration(leaf.waitMs)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Culprit({ leaf }: { leaf: BlameLeaf }) {
  const t = useTranslations('heatmap');
  if (leaf.cause !== 'holder' || leaf.owner === null) {
    return <i>{t(`blameCauses.${leaf.cause}`)}</i>;
  }
  return <KeyText text={leaf.owner} />;
}
