'use client';

import { useTranslations } from 'use-intl';
import { ClockTime } from '@/components/labels';
import { DeadlockCard } from '@/components/graph/deadlock-card';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { DeadlockFile } from '@/lib/protocol/deadlock-file';

/** A deadlock as it was saved: set apart from what is live, and nothing in it can be acted on. */
export function OpenedFile({ file, onClose }: { file: DeadlockFile; onClose: () => void }) {
  const t = useTranslations('deadlocks');
  return (
    <div className="mb-4 flex min-w-0 flex-col gap-2">
      <Notice title={t('imported')}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            {t('importedText', { target: file.deadlock.target })} <ClockTime at={file.exportedAt} />
          </span>
          <Button onClick={onClose}>{t('closeFile')}</Button>
        </span>
      </Notice>
      <DeadlockCard deadlock={file.deadlock} isStill />
    </div>
  );
}
