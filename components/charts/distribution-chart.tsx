'use client';

import { useMemo } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useTranslations } from 'use-intl';
import { useDurationText } from '@/components/labels';
import { ChartFigure } from './chart-figure';
import { ChartTooltip } from './chart-tooltip';
import type { DistributionBar } from './distribution-series';
import { barOf, distributionSeries } from './distribution-series';

interface Props {
  waits: { buckets: { le: number; count: number }[]; p50: number | null; p99: number | null };
  holds: { buckets: { le: number; count: number }[] };
}

const HEIGHT_PX = 240;
const TICK = { fill: 'var(--ink-3)', fontSize: 11 };

/** How long owners waited, beside how long locks were held, over logarithmic buckets. */
export function DistributionChart({ waits, holds }: Props) {
  const t = useTranslations('charts');
  const duration = useDurationText();
  const bars = useMemo(
    () => distributionSeries(waits.buckets, holds.buckets),
    [waits.buckets, holds.buckets],
  );
  const range = (bar: DistributionBar) =>
    t('between', { from: duration(bar.over), to: duration(bar.le) });
  const marks = [
    { name: t('p50'), bar: barOf(bars, waits.p50), row: 0 },
    { name: t('p99'), bar: barOf(bars, waits.p99), row: 1 },
  ];
  return (
    <ChartFigure
      summary={t('distributionSummary')}
      table={{
        head: [t('duration'), t('waits'), t('holds')],
        rows: () => bars.map((bar) => [range(bar), String(bar.waits), String(bar.holds)]),
      }}
    >
      <ResponsiveContainer width="100%" height={HEIGHT_PX}>
        <BarChart
          data={bars}
          barGap={1}
          barCategoryGap="18%"
          maxBarSize={28}
          margin={{ top: 32, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="le"
            tickFormatter={(le: number) => duration(le)}
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: 'var(--line-strong)' }}
            interval="preserveStartEnd"
            minTickGap={18}
          />
          <YAxis
            width={40}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            tickFormatter={(share: number) => `${Math.round(share * 100)}%`}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--sunken)' }}
            content={({ active, payload }) => {
              const bar = bars.find((each) => each === payload[0]?.payload);
              if (!active || !bar) return null;
              return (
                <ChartTooltip title={range(bar)}>
                  <p>{t('waitsIn', { count: bar.waits, share: bar.waitShare })}</p>
                  <p>{t('holdsIn', { count: bar.holds, share: bar.holdShare })}</p>
                </ChartTooltip>
              );
            }}
          />
          {marks.map(
            ({ name, bar, row }) =>
              bar && (
                <ReferenceLine
                  key={name}
                  x={bar.le}
                  stroke="var(--ink-3)"
                  strokeDasharray="3 3"
                  label={
                    <MarkLabel
                      name={name}
                      row={row}
                      isRight={bars.indexOf(bar) >= bars.length / 2}
                    />
                  }
                />
              ),
          )}
          <Bar
            dataKey="waitShare"
            fill="var(--chart-1)"
            radius={[2, 2, 0, 0]}
            isAnimationActive={false}
          />
          <Bar
            dataKey="holdShare"
            fill="var(--chart-3)"
            radius={[2, 2, 0, 0]}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
      <p className="text-xs text-ink-3">{t('distributionNote')}</p>
    </ChartFigure>
  );
}

const LABEL_ROW_PX = 13;

interface MarkLabelProps {
  name: string;
  /** Each mark has a row of its own above the bars, so that two close ones do not overprint. */
  row: number;
  /** In the right half the text stands left of its line, or it would be cut off. */
  isRight: boolean;
  /** Where the line is; given by the chart. */
  viewBox?: { x?: number; y?: number };
}

function MarkLabel({ name, row, isRight, viewBox }: MarkLabelProps) {
  return (
    <text
      x={(viewBox?.x ?? 0) + (isRight ? -3 : 3)}
      y={(viewBox?.y ?? 0) - 5 - (1 - row) * LABEL_ROW_PX}
      textAnchor={isRight ? 'end' : 'start'}
      fill="var(--ink-2)"
      fontSize={11}
    >
      {name}
    </text>
  );
}
