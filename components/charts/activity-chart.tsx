'use client';

import { useId, useMemo } from 'react';
import {
  Area,
  AreaChart,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useTranslations } from 'use-intl';
import type { Series } from '@/lib/protocol/measures';
import { useClockText } from '@/components/labels';
import { activitySeries } from './activity-series';
import { ChartFigure } from './chart-figure';
import { ChartTooltip } from './chart-tooltip';

const HEIGHT_PX = 96;
const TICK = { fill: 'var(--ink-3)', fontSize: 11 };

const COLOUR = { acquisitions: 'var(--chart-1)', lost: 'var(--chart-3)' };

interface Props {
  of: keyof typeof COLOUR;
  series: Series;
}

/** Counts per step over time; steps of which nothing is known are hatched, never drawn as zero. */
export function ActivityChart({ of, series }: Props) {
  const t = useTranslations('charts');
  const hatching = useId();
  const clock = useClockText();
  const activity = useMemo(() => activitySeries(series), [series]);
  const say = (value: number | null) =>
    value === null ? t('unknown') : t(`activity.${of}.count`, { value });
  return (
    <ChartFigure
      summary={t(`activity.${of}.summary`, {
        highest: activity.highest,
        average: Number((activity.average ?? 0).toFixed(1)),
        latest: activity.latest ?? 0,
      })}
      table={{
        head: [t('time'), t(`activity.${of}.column`)],
        rows: () => activity.points.map(({ at, value }) => [clock(at), say(value)]),
      }}
    >
      <svg width="0" height="0" className="absolute">
        <pattern id={hatching} width="6" height="6" patternUnits="userSpaceOnUse">
          <path d="M-1,7 L7,-1 M-1,1 L1,-1 M5,7 L7,5" stroke="var(--warning)" strokeWidth="1.2" />
        </pattern>
      </svg>
      <ResponsiveContainer width="100%" height={HEIGHT_PX}>
        <AreaChart
          data={activity.points}
          margin={{ top: 6, right: 4, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <XAxis
            dataKey="at"
            type="number"
            domain={['dataMin', 'dataMax']}
            tickFormatter={(at: number) => clock(at).slice(0, 5)}
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: 'var(--line)' }}
            minTickGap={48}
            height={20}
          />
          <YAxis
            width={34}
            tick={TICK}
            tickLine={false}
            axisLine={false}
            tickCount={3}
            allowDecimals={false}
          />
          {activity.unknown.map((run) => (
            <ReferenceArea
              key={run.from}
              x1={run.from}
              x2={run.to}
              fill={`url(#${hatching})`}
              fillOpacity={0.8}
              stroke="none"
            />
          ))}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--line-strong)' }}
            content={({ active, label, payload }) => {
              const value = payload[0]?.value;
              if (!active || typeof label !== 'number') return null;
              return (
                <ChartTooltip title={clock(label)}>
                  {say(typeof value === 'number' ? value : null)}
                </ChartTooltip>
              );
            }}
          />
          <Area
            dataKey="value"
            type="stepAfter"
            stroke={COLOUR[of]}
            strokeWidth={1.5}
            fill={COLOUR[of]}
            fillOpacity={0.16}
            connectNulls={false}
            isAnimationActive={false}
            dot={false}
            activeDot={{ r: 3 }}
          />
        </AreaChart>
      </ResponsiveContainer>
    </ChartFigure>
  );
}
