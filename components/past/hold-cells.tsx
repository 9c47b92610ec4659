'use client';

import { useTranslations } from 'use-intl';
import {
  DurationText,
  EndReasonLabel,
  EvidenceMark,
  Figure,
  NoOwner,
  useExactTimeText,
} from '@/components/labels';
import type { PastHold } from '@/lib/protocol/lock';
import type { PastLock, PastWaiter } from '@/lib/protocol/past';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { PastOwner } from './past-owner';

/** Who held; null = nobody is known to have. */
export function HolderOf({ hold }: { hold: PastHold | null }) {
  const labels = useTranslations('labels');
  if (!hold) return <span className="text-ink-3">{labels('noOwner')}</span>;
  if (!hold.owner) return <span className="text-ink-3">{labels('ownerUnknown')}</span>;
  if (hold.owner === NO_OWNER_ID) return <NoOwner />;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <PastOwner owner={hold.owner} />
      {hold.evidence !== 'observed' && <EvidenceMark evidence={hold.evidence} />}
    </span>
  );
}

/** How a hold ended, and how long after the moment; or that it still lasts. */
export function EndedLater({ hold, at }: { hold: PastHold; at: number }) {
  const t = useTranslations('past');
  const exact = useExactTimeText();
  if (hold.end === null) return <span className="text-ink-2">{t('stillHeld')}</span>;
  return (
    <span className="inline-flex items-center gap-1.5" title={exact(hold.end)}>
      <EndReasonLabel reason={hold.endReason ?? 'unknown'} />
      <span className="text-ink-2">
        {t.rich('after', {
          duration: () => <DurationText ms={hold.end === null ? 0 : hold.end - at} />,
        })}
      </span>
    </span>
  );
}

/** How many waited: where waiters leave no trace, nobody knows. */
export function WaiterCount({ lock }: { lock: Pick<PastLock, 'waiters' | 'waitersEvidence'> }) {
  const count = lock.waiters.length;
  return (
    <span className={count === 0 ? 'text-ink-3' : undefined}>
      <Figure evidence={lock.waitersEvidence}>{count}</Figure>
    </span>
  );
}

/** What became of a wait after the moment. */
export function WaitOutcome({ waiter, at }: { waiter: PastWaiter; at: number }) {
  const t = useTranslations('past');
  const { end, outcome } = waiter;
  if (end === null || outcome === null)
    return <span className="text-ink-2">{t('stillWaits')}</span>;
  return (
    <span>
      {t.rich(outcome === 'granted' ? 'gotIt' : 'gaveUp', {
        duration: () => <DurationText ms={end - at} />,
      })}
    </span>
  );
}
