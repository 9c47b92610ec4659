import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type Tone =
  | 'neutral'
  | 'accent'
  | 'held'
  | 'free'
  | 'cooling'
  | 'broken'
  | 'orphan'
  | 'critical'
  | 'warning'
  | 'info'
  | 'ok';

const TONE: Record<Tone, string> = {
  neutral: 'bg-free-soft text-ink-2',
  accent: 'bg-accent-soft text-accent-ink',
  held: 'bg-held-soft text-held',
  free: 'bg-free-soft text-free',
  cooling: 'bg-cooling-soft text-cooling',
  broken: 'bg-broken-soft text-broken',
  orphan: 'bg-orphan-soft text-orphan',
  critical: 'bg-critical-soft text-critical',
  warning: 'bg-warning-soft text-warning',
  info: 'bg-info-soft text-info',
  ok: 'bg-ok-soft text-ok',
};

/** The text colour of a tone, for an icon or a figure without a background. */
export const TONE_TEXT: Record<Tone, string> = {
  neutral: 'text-ink-2',
  accent: 'text-accent-ink',
  held: 'text-held',
  free: 'text-free',
  cooling: 'text-cooling',
  broken: 'text-broken',
  orphan: 'text-orphan',
  critical: 'text-critical',
  warning: 'text-warning',
  info: 'text-info',
  ok: 'text-ok',
};

interface Props {
  tone?: Tone;
  icon?: ReactNode;
  title?: string;
  className?: string;
  children: ReactNode;
}

export function Badge({ tone = 'neutral', icon, title, className, children }: Props) {
  return (
    <span
      title={title}
      className={clsx(
        'inline-flex h-5 max-w-full items-center gap-1 rounded px-1.5 text-2xs font-medium whitespace-nowrap',
        TONE[tone],
        className,
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}
