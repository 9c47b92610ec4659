'use client';

import { useId } from 'react';
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useFormatter, useTranslations } from 'use-intl';
import { useClockText, useDurationText } from '@/components/labels';
import { ChartFigure } from './chart-figure';
import { ChartTooltip } from './chart-tooltip';
import { quantileColour } from './quantile-colour';
import {
  isAlone,
  QUANTILES,
  unknownSpans,
  type DurationScale,
  type QuantileName,
  type QuantilePoint,
} from './quantile-series';
import { TimeHand } from './time-hand';
import type { Span } from './time-range';
import { tickLook, timeTicks, zoneMsAt } from './time-ticks';

interface Props {
  of: 'waits' | 'holds';
  points: readonly QuantilePoint[];
  stepMs: number;
  /** What the width stands for. */
  span: Span;
  gaps: readonly { from: number; to: number | null }[];
  shown: readonly QuantileName[];
  /** Shared by charts that stand side by side; null = no percentile to draw. */
  scale: DurationScale | null;
  marker: number | null;
  onMark: (at: number) => void;
  onSelect: (span: Span) => void;
}

const HEIGHT_PX = 220;
const TICK = { fill: 'var(--ink-3)', fontSize: 11 };
const TICKS = 6;
const EMPTY_SCALE: DurationScale = { from: 1, to: 1000, ticks: [1, 10, 100, 1000] };
/** Charts of one page show their tooltips at the same moment. */
const SYNC = 'quantiles';

/** Percentiles over time on a logarithmic scale. Steps of which nothing is known are hatched and break the lines. */
export function QuantileChart(props: Props) {
  const { of, points, stepMs, span, shown, scale } = props;
  const t = useTranslations('charts');
  const duration = useDurationText();
  const pattern = useId();
  const { from, to, ticks } = scale ?? EMPTY_SCALE;
  const zoneMs = zoneMsAt(span.to);
  const timeAxis = timeTicks(span, TICKS, zoneMs);
  const tickText = useTickText(timeAxis.stepMs, zoneMs);
  return (
    <ChartFigure
      summary={t('quantileSummary', { of: t(of), count: points.length })}
      table={useTable(props)}
    >
      <svg width="0" height="0" className="absolute">
        <pattern id={pattern} width="6" height="6" patternUnits="userSpaceOnUse">
          <path d="M-1,7 L7,-1 M-1,1 L1,-1 M5,7 L7,5" stroke="var(--warning)" strokeWidth="1.2" />
        </pattern>
      </svg>
      <ResponsiveContainer width="100%" height={HEIGHT_PX}>
        <LineChart
          data={points}
          syncId={SYNC}
          margin={{ top: 10, right: 12, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="middle"
            type="number"
            domain={[span.from, span.to]}
            allowDataOverflow
            ticks={timeAxis.at}
            tickFormatter={tickText}
            tick={TICK}
            tickLine={false}
            axisLine={{ stroke: 'var(--line-strong)' }}
            height={22}
          />
          <YAxis
            width={50}
            scale="log"
            type="number"
            domain={[from, to]}
            allowDataOverflow
            ticks={ticks}
            tickFormatter={duration}
            tick={TICK}
            tickLine={false}
            axisLine={false}
          />
          {unknownSpans(points, props.gaps, span).map((unknown) => (
            <ReferenceArea
              key={unknown.from}
              x1={unknown.from}
              x2={unknown.to}
              fill={`url(#${pattern})`}
              fillOpacity={0.8}
              stroke="none"
            />
          ))}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: 'var(--line-strong)' }}
            content={({ active, payload }) => {
              const point = points.find((each) => each === payload[0]?.payload);
              return active && point ? <StepTooltip of={of} point={point} /> : null;
            }}
          />
          {QUANTILES.filter((name) => shown.includes(name)).map((name) => (
            <Line
              key={name}
              dataKey={name}
              type="linear"
              stroke={quantileColour(of, name)}
              strokeWidth={1.75}
              connectNulls={false}
              isAnimationActive={false}
              activeDot={{ r: 3, stroke: 'var(--surface)' }}
              dot={
                points.some((_, index) => isAlone(points, index, name)) &&
                (({ key, cx, cy, index }) =>
                  isAlone(points, index, name) ? (
                    <circle key={key} cx={cx} cy={cy} r={2.25} fill={quantileColour(of, name)} />
                  ) : (
                    <g key={key} />
                  ))
              }
            />
          ))}
          <TimeHand
            span={span}
            stepMs={stepMs}
            marker={props.marker}
            onMark={props.onMark}
            onSelect={props.onSelect}
          />
        </LineChart>
      </ResponsiveContainer>
    </ChartFigure>
  );
}

function useTickText(stepMs: number, zoneMs: number): (at: number) => string {
  const format = useFormatter();
  const looks = {
    day: { month: 'short', day: 'numeric' },
    minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    second: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  } as const;
  return (at) => format.dateTime(new Date(at), looks[tickLook(at, stepMs, zoneMs)]);
}

function useTable({ of, points }: Props): { head: string[]; rows: () => string[][] } {
  const t = useTranslations('charts');
  const clock = useClockText();
  const duration = useDurationText();
  const last = points.at(-1)?.to ?? 0;
  return {
    head: [t('time'), t(of), ...QUANTILES.map((name) => t(`quantiles.${name}`))],
    rows: () =>
      points.map(({ from, known }) => [
        clock(from, last),
        known === null ? t('unknown') : String(known.count),
        ...QUANTILES.map((name) => {
          const ms = known?.[name] ?? null;
          return ms === null ? (known === null ? t('unknown') : '–') : duration(ms);
        }),
      ]),
  };
}

function StepTooltip({ of, point }: { of: Props['of']; point: QuantilePoint }) {
  const t = useTranslations('charts');
  const clock = useClockText();
  const duration = useDurationText();
  const { known } = point;
  return (
    <ChartTooltip title={t('between', { from: clock(point.from), to: clock(point.to) })}>
      {known === null ? (
        <p className="max-w-48 whitespace-normal">{t('unknownStep')}</p>
      ) : (
        <>
          <p>{t(`counted.${of}`, { count: known.count })}</p>
          {known.count > 0 && (
            <dl className="mt-1 grid grid-cols-[auto_auto_1fr] items-center gap-x-1.5">
              {QUANTILES.toReversed().map((name) => (
                <div key={name} className="contents">
                  <span
                    className="h-0.5 w-3 rounded"
                    style={{ background: quantileColour(of, name) }}
                  />
                  <dt className="text-ink-3">{t(`quantiles.${name}`)}</dt>
                  <dd className="text-right font-medium text-ink">
                    {known[name] === null ? '–' : duration(known[name])}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )}
    </ChartTooltip>
  );
}
