'use client';

import { Pin as PinIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormatLabel, KeyText, TimeAgo } from '@/components/labels';
import { PinDialog } from '@/components/pins/pin-dialog';
import { UnpinDialog } from '@/components/pins/unpin-dialog';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { Panel } from '@/components/ui/panel';
import type { LibrariesPage } from '@/lib/protocol/libraries';
import { useMayOperate } from './use-may-operate';

type Row = LibrariesPage['pins'][number];

interface Props {
  pins: readonly Row[];
  /** Undefined until it is known which Redis is watched. */
  target: string | undefined;
}

/** What operators pinned, with the means to add and to remove. */
export function PinPanel({ pins, target }: Props) {
  const t = useTranslations('libraries');
  const mayOperate = useMayOperate();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const isOff = !mayOperate || target === undefined;
  const why = mayOperate ? undefined : t('needsRole');
  const columns: Column<Row>[] = [
    {
      id: 'pattern',
      header: t('pattern'),
      cell: ({ pattern }) => <KeyText text={pattern} className="max-w-44 md:max-w-80" />,
    },
    { id: 'library', header: t('library'), cell: ({ format }) => <FormatLabel format={format} /> },
    { id: 'locks', header: t('locks'), align: 'end', cell: ({ locks }) => locks },
    {
      id: 'by',
      header: t('by'),
      wideOnly: true,
      cell: ({ actor, createdAt }) => (
        <>
          {actor} <TimeAgo at={createdAt} className="text-ink-3" />
        </>
      ),
    },
    {
      id: 'reason',
      header: t('reason'),
      className: 'max-w-72',
      cell: ({ reason }) => (
        <span className="block min-w-48 break-words whitespace-normal">{reason}</span>
      ),
    },
    {
      id: 'remove',
      header: <span className="sr-only">{t('remove')}</span>,
      align: 'end',
      cell: ({ pattern }) => (
        <Button
          look="ghost"
          disabled={isOff}
          title={why}
          aria-label={t('removeTitle', { pattern })}
          onClick={() => setRemoving(pattern)}
        >
          {t('remove')}
        </Button>
      ),
    },
  ];
  return (
    <Panel
      title={t('pins')}
      description={t('pinsHint')}
      flush
      actions={
        <Button
          icon={<PinIcon size={13} aria-hidden />}
          disabled={isOff}
          title={why}
          onClick={() => setAdding(true)}
        >
          {t('add')}
        </Button>
      }
    >
      <DataTable
        caption={t('pins')}
        columns={columns}
        rows={pins}
        rowKey={({ pattern }) => pattern}
        empty={
          <EmptyState icon={<PinIcon size={22} aria-hidden />} title={t('noPins')}>
            {t('noPinsText')}
          </EmptyState>
        }
      />
      {target !== undefined && adding && (
        <PinDialog target={target} onClose={() => setAdding(false)} />
      )}
      {target !== undefined && removing !== null && (
        <UnpinDialog target={target} pattern={removing} onClose={() => setRemoving(null)} />
      )}
    </Panel>
  );
}
