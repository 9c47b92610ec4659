'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { FormatLabel, KeyText, WaitingText } from '@/components/labels';
import type { WakeResult } from '@/lib/protocol/actions';
import type { LockDetail } from '@/lib/protocol/lock';
import { keptAsError, RepairDialog } from './repair-dialog';

interface Props {
  lock: LockDetail;
  onClose: () => void;
}

/** Wakes those who wait for a lock that is free, the way its library does on a release. */
export function WakeDialog({ lock, onClose }: Props) {
  const t = useTranslations('release');
  const [result, setResult] = useState<WakeResult | null>(null);
  const { run, pending, error } = useAction('lock.wake');
  const { target, db, keyB64 } = lock;
  const woke = result?.wokeWaiters ?? null;
  return (
    <RepairDialog
      words={{
        title: t('wake.title'),
        description: t('wake.description'),
        confirm: t('wake.confirm'),
        failedTitle: t('wake.failedTitle'),
        doneTitle: t('wake.doneTitle'),
      }}
      facts={[
        { label: t('key'), value: <KeyText text={lock.key} /> },
        { label: t('waiting'), value: <WaitingText waiting={lock.waiting} /> },
        { label: t('library'), value: <FormatLabel format={lock.format} /> },
      ]}
      warnings={[]}
      look="primary"
      pending={pending}
      error={error}
      done={result && (woke === null ? t('wake.doneUncounted') : t('wake.done', { count: woke }))}
      onConfirm={(reason) => {
        run({ target, db, keyB64, reason }).then(setResult, keptAsError);
      }}
      onClose={onClose}
    />
  );
}
