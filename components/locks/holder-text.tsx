'use client';

import { useTranslations } from 'use-intl';
import { OwnerText } from '@/components/labels';
import { insidersOf, permitNumbers } from '@/components/locks/insiders';
import type { Lock } from '@/lib/protocol/lock';

/** Who holds a lock, in one line: an owner, how many are inside, what is left of a number, or nobody. */
export function HolderText({ lock }: { lock: Lock }) {
  const t = useTranslations('locks');
  const labels = useTranslations('labels');
  const several = useSeveral(lock);
  if (several !== null) return <span title={several}>{several}</span>;
  if (!lock.hold) return <span className="text-ink-3">{labels('noOwner')}</span>;
  if (lock.hold.owner.id === '') {
    return <span className="text-ink-3">{labels('ownerUnknown')}</span>;
  }
  if (lock.mode === 'write') {
    return (
      <span className="flex min-w-0 items-baseline gap-1.5">
        <span className="shrink-0 text-ink-3">{t('writer')}</span>
        <OwnerText owner={lock.hold.owner} short />
      </span>
    );
  }
  return <OwnerText owner={lock.hold.owner} short />;
}

/** Of a lock that several may hold, how many do; null where one owner is to be named. */
function useSeveral(lock: Lock): string | null {
  const t = useTranslations('locks');
  const { kind, hold, mode, members } = lock;
  if (kind === 'latch') return hold && t('latch', { count: hold.depth });
  const { live } = insidersOf(lock);
  if (kind === 'read-write') {
    const areReaders = mode !== 'write' && live.length > 1;
    return areReaders ? t('readers', { count: live.length }) : null;
  }
  if (kind === 'semaphore' && lock.permits) return permitText(lock, t);
  return members.length > 1 ? t('members', { count: live.length }) : null;
}

function permitText(lock: Lock, t: ReturnType<typeof useTranslations<'locks'>>): string | null {
  const { total, taken, free } = permitNumbers(lock);
  if (total !== null && taken !== null) return t('permitsOf', { taken, total });
  if (taken !== null) return t('permitsTaken', { taken });
  return free === null ? null : t('permitsFree', { free });
}
