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
    { name: 'p50', bar: barOf(bars, waits.p50) },
    { name: 'p99', bar: barOf(bars, waits.p99) },
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
          margin={{ top: 18, right: 8, bottom: 0, left: 0 }}
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
            ({ name, bar }) =>
              bar && (
                <ReferenceLine
                  key={name}
                  x={bar.le}
                  stroke="var(--ink-3)"
                  strokeDasharray="3 3"
                  label={{ value: name, position: 'top', fill: 'var(--ink-2)', fontSize: 11 }}
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
    </ChartFigure>
  );
}
