'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { ClockTime, Countdown, KeyText, OwnerText, TimeAgo, useSaid } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import type { Hold, LockDetail, Member } from '@/lib/protocol/lock';
import { repairOf } from './repair';

// Seldom needed, and large: loaded when it is first opened.
const RemoveMemberDialog = dynamic(
  () =>
    import('@/components/locks/release/remove-member-dialog').then(
      (module) => module.RemoveMemberDialog,
    ),
  { ssr: false },
);

interface Props {
  lock: LockDetail;
  members: Member[];
  caption: string;
  /** Of the column of names; left out = the caption. */
  header?: string;
  /** What a member without a deadline is: a permit that may be lost, or one that ends with the lock. */
  withoutDeadline: 'leaks' | 'with-the-lock';
}

interface Chosen {
  member: Member;
  hold: Hold;
}

/** Who is inside a lock that several may hold, each with a deadline of its own and a way out. */
export function MembersTable({ lock, ...shown }: Props) {
  const { members, caption } = shown;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const columns = useColumns(shown);
  const removal = useRemovalColumn(lock, setChosen);
  return (
    <>
      <DataTable
        caption={caption}
        rows={members}
        rowKey={(member) => `${member.role ?? ''}:${member.id}`}
        columns={[...columns, ...removal]}
      />
      {chosen && <RemoveMemberDialog lock={lock} {...chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function useColumns(shown: Omit<Props, 'lock'>): Column<Member>[] {
  const { members, caption, header = caption, withoutDeadline } = shown;
  const t = useTranslations('lock.members');
  const columns: (Column<Member> | false)[] = [
    {
      id: 'who',
      header,
      className: 'max-w-32 sm:max-w-72',
      cell: (member) =>
        member.owner ? <OwnerText owner={member.owner} /> : <KeyText text={member.id} />,
    },
    members.some(({ depth }) => (depth ?? 1) > 1) && {
      id: 'depth',
      header: t('depth'),
      align: 'end',
      cell: (member) => member.depth ?? 1,
    },
    members.some(({ refreshedAt }) => refreshedAt !== null) && {
      id: 'refreshed',
      header: t('refreshed'),
      wideOnly: true,
      cell: (member) => member.refreshedAt !== null && <TimeAgo at={member.refreshedAt} />,
    },
    (withoutDeadline === 'leaks' || members.some(({ deadline }) => deadline !== null)) && {
      id: 'deadline',
      header: t('deadline'),
      cell: (member) => <Deadline member={member} withoutDeadline={withoutDeadline} />,
    },
    members.some(({ owner }) => owner && owner.liveness !== 'unknown') && {
      id: 'connection',
      // A phone has the mark beside the name.
      wideOnly: true,
      header: t('connection'),
      cell: (member) => <Connection member={member} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

function Deadline({
  member: { deadline, stale },
  withoutDeadline,
}: Pick<Props, 'withoutDeadline'> & { member: Member }) {
  const t = useTranslations('lock.members');
  if (deadline === null) {
    if (withoutDeadline === 'with-the-lock') return t('withTheLock');
    return (
      <Badge tone="warning" title={t('leakRiskTitle')}>
        {t('leakRisk')}
      </Badge>
    );
  }
  if (stale) return <TimeAgo at={deadline} className="text-warning" />;
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Countdown deadline={deadline} />
      <ClockTime at={deadline} className="text-xs text-ink-3 max-md:hidden" />
    </span>
  );
}

function Connection({ member: { owner } }: { member: Member }) {
  const t = useTranslations('labels');
  const liveness = owner?.liveness ?? 'unknown';
  const title = t(`livenessMeanings.${liveness}`);
  if (liveness === 'not-seen') {
    return (
      <Badge tone="warning" title={title}>
        {t(`liveness.${liveness}`)}
      </Badge>
    );
  }
  return (
    <span title={title} className={liveness === 'seen' ? 'text-ok' : 'text-ink-3'}>
      {t(`liveness.${liveness}`)}
    </span>
  );
}

/** For operators, where the library lets one of several be taken out. */
function useRemovalColumn(lock: LockDetail, onRemove: (chosen: Chosen) => void): Column<Member>[] {
  const t = useTranslations('lock.members');
  const session = useSession();
  const say = useSaid();
  const repair = repairOf(lock, 'remove-member');
  const { hold } = lock;
  if (!repair || !hold || !session || session.role === 'viewer') return [];
  const { because } = repair;
  return [
    {
      id: 'remove',
      header: <span className="sr-only">{t('remove')}</span>,
      align: 'end',
      cell: (member) => (
        <Button
          aria-label={t('removeLabel', { member: member.id })}
          disabled={because !== null}
          title={because === null ? undefined : say(because, '')}
          onClick={() => onRemove({ member, hold })}
        >
          {t('remove')}
        </Button>
      ),
    },
  ];
}
