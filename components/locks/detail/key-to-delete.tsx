'use client';

import { useTranslations } from 'use-intl';
import { KeyText } from '@/components/labels';
import type { LockDetail } from '@/lib/protocol/lock';

/** Which key a release deletes, and what a bare DEL of it would leave undone. */
export function KeyToDelete({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.holder');
  if (lock.library.readOnly) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 text-xs text-ink-3">
      {t.rich('keyToDelete', {
        key: () => <KeyText text={lock.key} className="max-w-80 text-ink-2" />,
        db: lock.db,
      })}
      {lock.library.wakes && <span>{t('bareDelete')}</span>}
    </p>
  );
}
