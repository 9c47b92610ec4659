'use client';

import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Heatmap } from '@/lib/protocol/measures';
import { EvidenceMark } from '@/components/labels';
import { HeatLegend } from './heat-legend';
import { hottestValue } from './heat-raster';
import { scaleTop } from './heat-scale';
import { HeatTable } from './heat-table';
import { useHeatInk } from './use-heat-ink';

interface Props {
  data: Heatmap;
  brightness: number;
  onBrightness: (brightness: number) => void;
  /** The map. */
  children: ReactNode;
}

/** The map with what explains it: the meaning of the figure, legend, hints, and the table beneath. */
export function HeatPanel({ data, brightness, onBrightness, children }: Props) {
  const t = useTranslations('heatmap');
  const box = useRef<HTMLElement>(null);
  const look = useHeatInk(box);
  const [tableShown, setTableShown] = useState(false);
  const hottest = useMemo(() => hottestValue(data.values), [data.values]);
  return (
    <section
      ref={box}
      aria-label={t(`metrics.${data.metric}`)}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-2 text-xs text-ink-2">
        <EvidenceMark evidence={data.evidence} named />
        <p className="min-w-0 flex-1 basis-72">{t(`metricMeanings.${data.metric}`)}</p>
      </div>
      <div className="p-3">{children}</div>
      <div className="flex flex-col gap-2 border-t border-line px-3 py-2">
        <HeatLegend
          metric={data.metric}
          top={scaleTop(data.metric, hottest)}
          theme={look?.theme ?? 'light'}
          brightness={brightness}
          hasGaps={data.gaps.length > 0}
          onBrightness={onBrightness}
        />
        <p aria-hidden className="text-2xs text-ink-3 max-md:hidden">
          {t('hints')}
        </p>
      </div>
      <details
        className="border-t border-line"
        onToggle={(event) => setTableShown(event.currentTarget.open)}
      >
        <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
          {t('table')}
        </summary>
        {tableShown && <HeatTable data={data} />}
      </details>
    </section>
  );
}
