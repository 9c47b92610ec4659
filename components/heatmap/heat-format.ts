import type { HeatMetric } from '@/lib/protocol/measures';

/** Three significant digits, with a suffix from a thousand on: 0.042 · 1.5 · 320 · 12.4k. */
export function figure(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1_000_000) return `${round(value / 1_000_000)}M`;
  if (magnitude >= 10_000) return `${round(value / 1000)}k`;
  return round(value);
}

const round = (value: number): string => {
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(magnitude >= 10 ? 3 : 2)));
};

/** A share is a percentage of the time throughout, above 100% too: one unit on one scale. */
export function metricFigure(metric: HeatMetric, value: number): string {
  if (metric === 'hold-share') return `${round(value * 100)}%`;
  return figure(value);
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

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

/** Local time − UTC at `at`, ms. */
export function zoneOffset(at: number): number {
  return -new Date(at).getTimezoneOffset() * 60_000;
}
