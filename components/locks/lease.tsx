'use client';

import { clsx } from 'clsx';
import { InfinityIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { Countdown, Figure } from '@/components/labels';
import { Meter, type MeterTone } from '@/components/ui/meter';
import type { Hold, Lock, LockState } from '@/lib/protocol/lock';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';

interface Props {
  hold: Hold;
  lock: Pick<Lock, 'state' | 'kind'>;
  className?: string;
}

/** What is left of a lease: a countdown over a shrinking bar, or the warning that there is no end to it. */
export function LeaseLeft({ hold, lock, className }: Props) {
  const t = useTranslations('locks');
  const { deadline, leaseMs, owner } = hold;
  if (deadline === null && owner.id === '') {
    // An event told of the hold and no read has followed yet: the lease is not known, rather than endless.
    return (
      <span title={t('leaseUnknown')} className={className}>
        <Figure evidence="unknown">{null}</Figure>
      </span>
    );
  }
  if (deadline === null && isCount(hold, lock)) {
    return <span className={clsx('text-ink-3', className)}>{t('noLimit')}</span>;
  }
  if (deadline === null) return <NoExpiry className={className} />;
  return (
    <span className={clsx('flex min-w-0 flex-col gap-1', className)}>
      <Countdown deadline={deadline} />
      {leaseMs !== null && leaseMs > 0 && (
        <LeaseBar deadline={deadline} leaseMs={leaseMs} state={lock.state} />
      )}
    </span>
  );
}

/** A number that is counted up and down has no time to live by its nature; that is no fault. */
const isCount = ({ owner }: Hold, { kind }: Props['lock']): boolean =>
  owner.id === NO_OWNER_ID && (kind === 'semaphore' || kind === 'latch');

export function LeaseBar(props: {
  deadline: number;
  leaseMs: number;
  state: LockState;
  label?: string;
  className?: string;
}) {
  const { deadline, leaseMs, state, label, className } = props;
  const now = useNow();
  const share = now === 0 ? 1 : (deadline - now) / leaseMs;
  return <Meter share={share} tone={toneOf(share, state)} label={label} className={className} />;
}

/** The last fifth of a lease is where a holder that renews by thirds has already missed two renewals. */
const LATE_SHARE = 0.2;

function toneOf(share: number, state: LockState): MeterTone {
  if (state === 'cooling-down') return 'muted';
  if (share <= 0) return 'critical';
  return share < LATE_SHARE ? 'warning' : 'accent';
}

function NoExpiry({ className }: { className?: string }) {
  const t = useTranslations('locks');
  return (
    <span
      title={t('noExpiryTitle')}
      className={clsx(
        'inline-flex items-center gap-1 font-medium whitespace-nowrap text-warning',
        className,
      )}
    >
      <InfinityIcon size={14} aria-hidden className="shrink-0" />
      {t('noExpiry')}
    </span>
  );
}
