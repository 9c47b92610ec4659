'use client';

import { useTranslations } from 'use-intl';
import { OwnerText } from '@/components/labels';
import type { Lock } from '@/lib/protocol/lock';

/** Who holds a lock, in one line: an owner, the members of a semaphore, or nobody. */
export function HolderText({ lock }: { lock: Lock }) {
  const t = useTranslations('locks');
  const labels = useTranslations('labels');
  if (lock.members.length > 1) return <>{t('members', { count: lock.members.length })}</>;
  if (!lock.hold) return <span className="text-ink-3">{labels('noOwner')}</span>;
  if (lock.hold.owner.id === '') {
    return <span className="text-ink-3">{labels('ownerUnknown')}</span>;
  }
  return <OwnerText owner={lock.hold.owner} short />;
}
