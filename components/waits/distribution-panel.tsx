'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { DistributionChart } from '@/components/charts';
import { DISTRIBUTION_MODES, type DistributionMode } from '@/components/charts/distribution-series';
import { Panel } from '@/components/ui/panel';
import { SegmentedControl } from '@/components/ui/segmented-control';
import type { Waits } from '@/lib/protocol/measures';
import { CsvButton } from './csv-button';
import { distributionCsv } from './waits-csv';

interface Props {
  data: Waits;
  mode: DistributionMode;
  onMode: (mode: DistributionMode) => void;
}

/** Waits and holds side by side over logarithmic buckets. */
export function DistributionPanel({ data, mode, onMode }: Props) {
  const t = useTranslations('waits');
  const inferred = data.byEvidence.find(({ evidence }) => evidence === 'inferred');
  return (
    <Panel
      title={t('distribution')}
      description={t(`distributionHint.${mode}`)}
      actions={
        <>
          <SegmentedControl
            label={t('bars')}
            value={mode}
            options={DISTRIBUTION_MODES.map((value) => ({ value, label: t(`barModes.${value}`) }))}
            onChange={onMode}
          />
          <CsvButton
            what={t('distribution')}
            file="waits-distribution"
            text={() => distributionCsv(data)}
          />
        </>
      }
    >
      <DistributionLegend isCumulative={mode === 'cumulative'} data={data} />
      <DistributionChart
        waits={data}
        inferred={inferred?.buckets ?? NONE}
        holds={data.holds}
        mode={mode}
      />
    </Panel>
  );
}

const NONE: Waits['buckets'] = [];

function DistributionLegend({ data, isCumulative }: { data: Waits; isCumulative: boolean }) {
  const t = useTranslations('waits.legend');
  const kinds = data.byEvidence.filter(({ count }) => count > 0).map(({ evidence }) => evidence);
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
      {isCumulative ? (
        <Entry swatch={<span className="h-0.5 w-4 bg-chart-1" />}>{t('all')}</Entry>
      ) : (
        <>
          {kinds.includes('observed') && (
            <Entry swatch={<span className="size-2.5 rounded-sm bg-chart-1" />}>
              {t('observed')}
            </Entry>
          )}
          {kinds.includes('inferred') && <Entry swatch={<InferredSwatch />}>{t('inferred')}</Entry>}
        </>
      )}
      <Entry
        swatch={
          isCumulative ? (
            <span className="w-4 border-t-2 border-dashed border-chart-3" />
          ) : (
            <span className="size-2.5 rounded-sm bg-chart-3" />
          )
        }
      >
        {t('holds')}
      </Entry>
    </ul>
  );
}

const Entry = ({ swatch, children }: { swatch: ReactNode; children: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <span aria-hidden className="flex">
      {swatch}
    </span>
    {children}
  </li>
);

const InferredSwatch = () => (
  <span
    className="size-2.5 rounded-sm border border-chart-1"
    style={{
      backgroundImage:
        'repeating-linear-gradient(-45deg, var(--chart-1) 0 1px, transparent 1px 3px)',
    }}
  />
);
