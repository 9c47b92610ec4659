'use client';

import { clsx } from 'clsx';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { QuantileChart } from '@/components/charts';
import { quantileColour } from '@/components/charts/quantile-colour';
import {
  durationScale,
  QUANTILES,
  quantilePoints,
  spanOfSteps,
  type QuantileName,
} from '@/components/charts/quantile-series';
import type { Span } from '@/components/charts/time-range';
import { EvidenceMark, useDurationText } from '@/components/labels';
import { Panel } from '@/components/ui/panel';
import type { Waits } from '@/lib/protocol/measures';
import { CsvButton } from './csv-button';
import { MarkerBar } from './marker-bar';
import { MarkerTables } from './marker-tables';
import { seriesCsv } from './waits-csv';

interface Props {
  data: Waits;
  /** As the address has it, whether or not the answer compares it already. */
  marker: number | null;
  onMark: (at: number | null) => void;
  onSelect: (span: Span) => void;
}

const KINDS = ['waits', 'holds'] as const;

/** Percentiles of waits and of holds over time side by side, on one scale; a marker compares before and after. */
export function OverTimePanel({ data, marker, onMark, onSelect }: Props) {
  const t = useTranslations('waits');
  const duration = useDurationText();
  const [hidden, setHidden] = useState<readonly QuantileName[]>([]);
  const shown = QUANTILES.filter((name) => !hidden.includes(name));
  const { series, stepMs } = data;
  const points = useMemo(
    () => ({
      waits: quantilePoints(
        series.map(({ at, waits }) => ({ at, quantiles: waits })),
        stepMs,
      ),
      holds: quantilePoints(
        series.map(({ at, holds }) => ({ at, quantiles: holds })),
        stepMs,
      ),
    }),
    [series, stepMs],
  );
  const span = spanOfSteps(series, stepMs) ?? { from: data.from, to: data.to };
  const compared = comparedAt(data, marker);
  const scale = durationScale([...points.waits, ...points.holds], shown);
  return (
    <Panel
      title={t('overTime')}
      description={t('overTimeHint', { step: duration(stepMs) })}
      actions={
        <>
          <LineToggles
            shown={shown}
            onToggle={(name) =>
              setHidden(
                hidden.includes(name) ? hidden.filter((each) => each !== name) : [...hidden, name],
              )
            }
          />
          <CsvButton what={t('overTime')} file="waits-over-time" text={() => seriesCsv(data)} />
        </>
      }
    >
      <div className="grid min-w-0 gap-x-4 gap-y-3 lg:grid-cols-2">
        {KINDS.map((of) => (
          <div key={of} className="min-w-0">
            <p className="mb-1 flex items-center gap-1.5 text-xs font-medium text-ink-2">
              <span
                aria-hidden
                className={clsx('size-2 rounded-sm', of === 'waits' ? 'bg-chart-1' : 'bg-chart-3')}
              />
              {t(of)}
              <EvidenceMark evidence={of === 'waits' ? data.evidence : 'observed'} named />
            </p>
            <QuantileChart
              of={of}
              points={points[of]}
              stepMs={stepMs}
              span={span}
              gaps={data.gaps}
              shown={shown}
              scale={scale}
              marker={compared?.at ?? marker}
              onMark={onMark}
              onSelect={onSelect}
            />
          </div>
        ))}
      </div>
      <MarkerBar data={data} marker={marker} isCompared={compared !== null} onMark={onMark} />
      {compared && (
        <MarkerTables marker={compared} from={data.from} to={data.to} evidence={data.evidence} />
      )}
    </Panel>
  );
}

/** The comparison at the marker that is asked for: the answer may still be one for another, or without. */
function comparedAt({ marker: compared, stepMs }: Waits, marker: number | null) {
  if (compared === null || marker === null) return null;
  // Figures of a part of a step are not kept: before and after meet at the nearest border.
  return Math.abs(compared.at - marker) <= stepMs / 2 ? compared : null;
}

interface TogglesProps {
  shown: readonly QuantileName[];
  onToggle: (name: QuantileName) => void;
}

/** The legend: each name shows or hides its lines. */
function LineToggles({ shown, onToggle }: TogglesProps) {
  const t = useTranslations('waits');
  const names = useTranslations('charts.quantiles');
  return (
    <fieldset aria-label={t('lines')} className="flex flex-wrap items-center gap-0.5">
      {QUANTILES.map((name) => {
        const isShown = shown.includes(name);
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isShown}
            onClick={() => onToggle(name)}
            className={clsx(
              'inline-flex h-6 items-center gap-1 rounded px-1.5 text-xs hover:bg-sunken',
              isShown ? 'text-ink' : 'text-ink-3 line-through',
            )}
          >
            <span aria-hidden className="flex flex-col gap-0.5">
              {KINDS.map((of) => (
                <span
                  key={of}
                  className="h-0.5 w-3 rounded"
                  style={{ background: isShown ? quantileColour(of, name) : 'var(--line-strong)' }}
                />
              ))}
            </span>
            {names(name)}
          </button>
        );
      })}
    </fieldset>
  );
}
