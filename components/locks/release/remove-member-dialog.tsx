'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { Countdown, FormatLabel, KeyText, OwnerText } from '@/components/labels';
import type { RemoveMemberResult } from '@/lib/protocol/actions';
import type { Hold, LockDetail, Member } from '@/lib/protocol/lock';
import { keptAsError, RepairDialog } from './repair-dialog';

interface Props {
  lock: LockDetail;
  /** As it was when the member was chosen: should the hold change since, the server refuses. */
  hold: Hold;
  member: Member;
  onClose: () => void;
}

/** Takes one of several holders out of a lock and leaves the others inside. */
export function RemoveMemberDialog({ lock, hold, member, onClose }: Props) {
  const t = useTranslations('release');
  const [result, setResult] = useState<RemoveMemberResult | null>(null);
  const { run, pending, error } = useAction('lock.remove-member');
  const { target, db, keyB64 } = lock;
  const isAlive = member.owner?.liveness === 'seen';
  const woke = result?.wokeWaiters ?? null;
  return (
    <RepairDialog
      words={{
        title: t('remove.title', { role: member.role ?? 'member' }),
        description: t('remove.description'),
        confirm: t('remove.confirm'),
        failedTitle: t('remove.failedTitle'),
        doneTitle: t('remove.doneTitle'),
      }}
      facts={[
        { label: t('key'), value: <KeyText text={lock.key} /> },
        {
          label: t(`remove.role.${member.role ?? 'member'}`),
          value: member.owner ? <OwnerText owner={member.owner} /> : <KeyText text={member.id} />,
        },
        {
          label: t('lease'),
          value:
            member.deadline === null ? (
              t('remove.noDeadline')
            ) : (
              <Countdown deadline={member.deadline} />
            ),
        },
        { label: t('library'), value: <FormatLabel format={lock.format} /> },
      ]}
      warnings={[t('remove.keepsWorking'), ...(isAlive ? [t('remove.aliveWarning')] : [])]}
      pending={pending}
      error={error}
      done={result && (woke === null ? t('remove.done') : t('remove.doneWoke', { count: woke }))}
      onConfirm={(reason) => {
        const { version } = hold;
        run({ target, db, keyB64, member: member.id, version, reason }).then(
          setResult,
          keptAsError,
        );
      }}
      onClose={onClose}
    />
  );
}
