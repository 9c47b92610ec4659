import type { HeatMetric } from '@/lib/protocol/measures';

/** Three significant digits, with a suffix from ten thousand on: 0.042 · 1.5 · 320 · 3,558 · 12.4k. */
export function figure(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1_000_000) return `${round(value / 1_000_000)}M`;
  if (magnitude >= 10_000) return `${round(value / 1000)}k`;
  return round(value);
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

const round = (value: number): string => {
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return whole.format(value);
  return String(Number(value.toPrecision(magnitude >= 10 ? 3 : 2)));
};

/** A duration in the unit that reads best: 4.2 ms · 320 ms · 1.5 s · 12 min. */
function duration(ms: number): string {
  const magnitude = Math.abs(ms);
  if (magnitude < 1000) return `${round(ms)} ms`;
  if (magnitude < 90_000) return `${round(ms / 1000)} s`;
  if (magnitude < 5_400_000) return `${round(ms / 60_000)} min`;
  return `${round(ms / 3_600_000)} h`;
}

/** A share is a percentage of the time throughout, above 100% too: one unit on one scale. */
export function metricFigure(metric: HeatMetric, value: number): string {
  if (metric === 'hold-share') return `${round(value * 100)}%`;
  if (metric === 'wait' || metric === 'handoff') return duration(value);
  return figure(value);
}

/** A change with its sign: +12% · −3.1 · 0. */
export function changeFigure(metric: HeatMetric, value: number): string {
  if (value === 0) return metricFigure(metric, 0);
  return `${value > 0 ? '+' : '−'}${metricFigure(metric, Math.abs(value))}`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** A tick of the time axis: the day at midnight, else the time, with seconds where ticks are close. */
export function tickLabel(at: number, stepMs: number): string {
  const date = new Date(at);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  if (isMidnight && stepMs >= 30 * 60_000) return day.format(at);
  return stepMs < 60_000 ? clockSeconds.format(at) : clock.format(at);
}

export function timeLabel(at: number): string {
  return clockSeconds.format(at);
}

/** Both ends of a span, with the day where it is longer than one or not of the day of `now` (epoch ms). */
export function spanLabels(span: { from: number; to: number }, now: number): [string, string] {
  const sameDay =
    day.format(span.from) === day.format(span.to - 1) &&
    day.format(span.to - 1) === day.format(now);
  const isShort = span.to - span.from < 3_600_000;
  const look = sameDay ? (isShort ? clockSeconds : clock) : dayClock;
  return [look.format(span.from), look.format(span.to)];
}

/** Local time − UTC at `at`, ms. */
export function zoneOffset(at: number): number {
  return -new Date(at).getTimezoneOffset() * 60_000;
}
