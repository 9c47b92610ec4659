import { clsx } from 'clsx';
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export type NoticeTone = 'info' | 'ok' | 'warning' | 'critical';

const LOOK = {
  info: { className: 'border-info/35 bg-info-soft', icon: Info, colour: 'text-info' },
  ok: { className: 'border-ok/35 bg-ok-soft', icon: CircleCheck, colour: 'text-ok' },
  warning: {
    className: 'border-warning/35 bg-warning-soft',
    icon: TriangleAlert,
    colour: 'text-warning',
  },
  critical: {
    className: 'border-critical/35 bg-critical-soft',
    icon: OctagonAlert,
    colour: 'text-critical',
  },
};

interface Props {
  tone?: NoticeTone;
  title?: ReactNode;
  actions?: ReactNode;
  /** Interrupts a screen reader. */
  role?: 'alert';
  /** Is read out when the screen reader comes to rest. */
  polite?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A sentence that stands out: what is so, and what to do. */
export function Notice({
  tone = 'info',
  title,
  actions,
  role,
  polite = false,
  className,
  children,
}: Props) {
  const look = LOOK[tone];
  const Icon = look.icon;
  return (
    <div
      role={polite ? 'status' : role}
      className={clsx(
        'flex items-start gap-2.5 rounded-md border px-3 py-2 text-sm',
        look.className,
        className,
      )}
    >
      <Icon size={15} aria-hidden className={clsx('mt-0.5 shrink-0', look.colour)} />
      <div className="min-w-0 flex-1 break-words">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-ink-2">{children}</div>}
      </div>
      {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
    </div>
  );
}
