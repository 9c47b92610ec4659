'use client';

import { useId, useMemo } from 'react';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useFormatter, useTranslations } from 'use-intl';
import { useDurationText } from '@/components/labels';
import { ChartFigure } from './chart-figure';
import { ChartTooltip } from './chart-tooltip';
import type { Bucket, DistributionBar, DistributionMode } from './distribution-series';
import { barOf, distributionSeries } from './distribution-series';

interface Props {
  waits: { buckets: Bucket[]; p50: number | null; p99: number | null };
  /** Of the waits, those that were worked out. */
  inferred: readonly Bucket[];
  holds: { buckets: Bucket[] };
  mode: DistributionMode;
}

const HEIGHT_PX = 250;
const TICK = { fill: 'var(--ink-3)', fontSize: 11 };
const BAR_KEYS = {
  share: ['observedWaitShare', 'inferredWaitShare', 'holdShare'],
  count: ['observedWaits', 'inferredWaits', 'holds'],
} as const;

/** How long owners waited, beside how long locks were held, over logarithmic buckets. */
export function DistributionChart({ waits, inferred, holds, mode }: Props) {
  const t = useTranslations('charts');
  const format = useFormatter();
  const duration = useDurationText();
  const pattern = useId();
  const bars = useMemo(
    () => distributionSeries(waits.buckets, holds.buckets, inferred),
    [waits.buckets, holds.buckets, inferred],
  );
  const range = (bar: DistributionBar) =>
    t('between', { from: duration(bar.over), to: duration(bar.le) });
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  const marks = [
    { name: t('p50'), bar: barOf(bars, waits.p50), row: 0 },
    { name: t('p99'), bar: barOf(bars, waits.p99), row: 1 },
  ];
  return (
    <ChartFigure summary={t('distributionSummary')} table={useTable(bars, range)}>
      <svg width="0" height="0" className="absolute">
        <pattern id={pattern} width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" fill="var(--chart-1)" fillOpacity="0.25" />
          <path d="M-1,6 L6,-1 M-1,1 L1,-1 M4,6 L6,4" stroke="var(--chart-1)" strokeWidth="1.3" />
        </pattern>
      </svg>
      <ResponsiveContainer width="100%" height={HEIGHT_PX}>
        <ComposedChart
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
            width={44}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            allowDecimals={mode !== 'count'}
            domain={mode === 'cumulative' ? [0, 1] : [0, 'auto']}
            tickFormatter={(value: number) =>
              mode === 'count' ? format.number(value, { notation: 'compact' }) : percent(value)
            }
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--sunken)', stroke: 'none' }}
            content={({ active, payload }) => {
              const bar = bars.find((each) => each === payload[0]?.payload);
              return active && bar ? (
                <ChartTooltip title={range(bar)}>
                  <BarText bar={bar} />
                </ChartTooltip>
              ) : null;
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
          {mode === 'cumulative' ? cumulativeLines() : valueBars(mode, `url(#${pattern})`)}
        </ComposedChart>
      </ResponsiveContainer>
      <p className="text-xs text-ink-3">
        {t(waits.p50 === null ? 'distributionEdges' : 'distributionNote')}
      </p>
    </ChartFigure>
  );
}

/** An array and no component: the chart looks for its bars among its own children. */
function valueBars(mode: 'share' | 'count', inferredFill: string) {
  const [observed, inferred, holds] = BAR_KEYS[mode];
  return [
    <Bar
      key={observed}
      dataKey={observed}
      stackId="waits"
      fill="var(--chart-1)"
      isAnimationActive={false}
    />,
    <Bar
      key={inferred}
      dataKey={inferred}
      stackId="waits"
      fill={inferredFill}
      stroke="var(--chart-1)"
      isAnimationActive={false}
    />,
    <Bar
      key={holds}
      dataKey={holds}
      fill="var(--chart-3)"
      radius={[2, 2, 0, 0]}
      isAnimationActive={false}
    />,
  ];
}

function cumulativeLines() {
  return [
    <Line
      key="waits"
      dataKey="waitsUpTo"
      type="stepBefore"
      stroke="var(--chart-1)"
      strokeWidth={2}
      dot={false}
      isAnimationActive={false}
    />,
    <Line
      key="holds"
      dataKey="holdsUpTo"
      type="stepBefore"
      stroke="var(--chart-3)"
      strokeWidth={2}
      strokeDasharray="6 3"
      dot={false}
      isAnimationActive={false}
    />,
  ];
}

function useTable(bars: readonly DistributionBar[], range: (bar: DistributionBar) => string) {
  const t = useTranslations('charts');
  const format = useFormatter();
  const share = (value: number | null) =>
    value === null ? '–' : format.number(value, { style: 'percent', maximumFractionDigits: 1 });
  return {
    head: [
      ...[t('duration'), t('waits'), t('inferredWaits'), t('waitsUpTo')],
      ...[t('holds'), t('holdsUpTo')],
    ],
    rows: () =>
      bars.map((bar) => [
        ...[range(bar), String(bar.waits), String(bar.inferredWaits), share(bar.waitsUpTo)],
        ...[String(bar.holds), share(bar.holdsUpTo)],
      ]),
  };
}

function BarText({ bar }: { bar: DistributionBar }) {
  const t = useTranslations('charts');
  return (
    <>
      <p>{t('waitsIn', { count: bar.waits, share: bar.waitShare })}</p>
      {bar.inferredWaits > 0 && <p>{t('inferredIn', { count: bar.inferredWaits })}</p>}
      {bar.waitsUpTo !== null && <p>{t('waitsUpToIn', { share: bar.waitsUpTo })}</p>}
      <p className="mt-1">{t('holdsIn', { count: bar.holds, share: bar.holdShare })}</p>
      {bar.holdsUpTo !== null && <p>{t('holdsUpToIn', { share: bar.holdsUpTo })}</p>}
    </>
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
