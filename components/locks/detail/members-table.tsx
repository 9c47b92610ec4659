'use client';

import { useTranslations } from 'use-intl';
import { Countdown, KeyText, OwnerText, TimeAgo } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { DataTable } from '@/components/ui/data-table';
import type { Member } from '@/lib/protocol/lock';

/** Who is inside a semaphore, each with a deadline of its own. */
export function MembersTable({ members }: { members: Member[] }) {
  const t = useTranslations('lock.holder');
  return (
    <div className="-mx-3 mt-3 -mb-3 border-t border-line">
      <DataTable
        caption={t('members')}
        rows={members}
        rowKey={(member) => member.id}
        columns={[
          {
            id: 'id',
            header: t('members'),
            className: 'max-w-72',
            cell: (member) =>
              member.owner ? <OwnerText owner={member.owner} /> : <KeyText text={member.id} />,
          },
          {
            id: 'refreshed',
            header: t('memberRefreshedHeader'),
            cell: (member) => member.refreshedAt !== null && <TimeAgo at={member.refreshedAt} />,
          },
          {
            id: 'deadline',
            header: t('lease'),
            cell: (member) =>
              member.stale ? (
                <Badge tone="warning">{t('memberStale')}</Badge>
              ) : member.deadline === null ? (
                <span className="text-warning">{t('memberNoDeadline')}</span>
              ) : (
                <Countdown deadline={member.deadline} />
              ),
          },
        ]}
      />
    </div>
  );
}
