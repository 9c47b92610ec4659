import { clsx } from 'clsx';

export type MeterTone = 'accent' | 'ok' | 'warning' | 'critical' | 'muted';

const FILL: Record<MeterTone, string> = {
  accent: 'bg-held',
  ok: 'bg-ok',
  warning: 'bg-warning',
  critical: 'bg-critical',
  muted: 'bg-ink-3',
};

interface Props {
  /** 0 to 1. */
  share: number;
  tone?: MeterTone;
  /** Without a label the bar only repeats a figure beside it and is hidden from screen readers. */
  label?: string;
  className?: string;
}

/** A thin bar that fills from the left. */
export function Meter({ share, tone = 'accent', label, className }: Props) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  const named = label
    ? {
        role: 'meter',
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': 100,
        'aria-valuenow': percent,
      }
    : { 'aria-hidden': true };
  return (
    <span {...named} className={clsx('block h-1 overflow-hidden rounded-full bg-line', className)}>
      <span
        className={clsx('block h-full rounded-full', FILL[tone])}
        style={{ width: `${percent}%` }}
      />
    </span>
  );
}
