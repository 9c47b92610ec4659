'use client';

import { useTranslations } from 'use-intl';
import { EndReasonLabel, NoOwner, TimeAgo } from '@/components/labels';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { LockDetail } from '@/lib/protocol/lock';

/** Who held a lock last, and how that ended. */
export function LastEnd({ lock: { lastEnd } }: { lock: LockDetail }) {
  const t = useTranslations('lock.holder');
  if (!lastEnd) return null;
  return (
    <p className="flex flex-wrap items-center gap-1.5 text-sm text-ink-2">
      {t.rich('lastHeld', {
        owner: () =>
          lastEnd.owner === NO_OWNER_ID ? (
            <NoOwner />
          ) : (
            <bdi className="font-mono break-all">{lastEnd.owner ?? '?'}</bdi>
          ),
        reason: () => <EndReasonLabel reason={lastEnd.reason} />,
        ago: () => <TimeAgo at={lastEnd.at} />,
      })}
    </p>
  );
}
