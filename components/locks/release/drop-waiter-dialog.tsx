'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { KeyText, OwnerText } from '@/components/labels';
import type { DropWaiterResult } from '@/lib/protocol/actions';
import type { Lock, WaitingOwner } from '@/lib/protocol/lock';
import { keptAsError, RepairDialog } from './repair-dialog';

interface Props {
  lock: Lock;
  waiter: WaitingOwner;
  onClose: () => void;
}

/** Takes a dead waiter out of a fair queue, so that the ones behind it may go on. */
export function DropWaiterDialog({ lock, waiter, onClose }: Props) {
  const t = useTranslations('release');
  const [result, setResult] = useState<DropWaiterResult | null>(null);
  const { run, pending, error } = useAction('lock.drop-waiter');
  const { target, db, keyB64 } = lock;
  return (
    <RepairDialog
      words={{
        title: t('drop.title'),
        description: t('drop.description'),
        confirm: t('drop.confirm'),
        failedTitle: t('drop.failedTitle'),
        doneTitle: t('drop.doneTitle'),
      }}
      facts={[
        { label: t('key'), value: <KeyText text={lock.key} /> },
        {
          label: t('drop.waiter'),
          value: waiter.owner ? <OwnerText owner={waiter.owner} /> : <KeyText text={waiter.id} />,
        },
      ]}
      warnings={waiter.alive === false ? [] : [t('drop.aliveWarning')]}
      pending={pending}
      error={error}
      done={result && t(result.wokeNext ? 'drop.doneWoke' : 'drop.done')}
      onConfirm={(reason) => {
        run({ target, db, keyB64, owner: waiter.id, reason }).then(setResult, keptAsError);
      }}
      onClose={onClose}
    />
  );
}
