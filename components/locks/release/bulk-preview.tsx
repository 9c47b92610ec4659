'use client';

import { useTranslations } from 'use-intl';
import { Elapsed, KeyText, useSaid, WaitingText } from '@/components/labels';
import { HolderText } from '@/components/locks/holder-text';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Notice } from '@/components/ui/notice';
import type { ReleasePreview } from '@/lib/protocol/actions';
import type { Lock } from '@/lib/protocol/lock';
import { ReasonField } from './reason-field';

interface Props {
  formId: string;
  preview: ReleasePreview;
  reason: string;
  onReason: (reason: string) => void;
  onSubmit: () => void;
}

export function BulkPreview({ formId, preview, reason, onReason, onSubmit }: Props) {
  const t = useTranslations('locks.bulk');
  const say = useSaid();
  return (
    <form
      id={formId}
      className="flex flex-col gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className="max-h-64 overflow-y-auto rounded-md border border-line">
        <PreviewTable items={preview.items} />
      </div>
      {preview.excluded.length > 0 && (
        <details className="text-sm">
          <summary className="text-ink-2">
            {t('excluded', { count: preview.excluded.length })}
          </summary>
          <ul className="mt-1 flex max-h-40 flex-col gap-1 overflow-y-auto pl-4">
            {preview.excluded.map(({ key, because, sentences }) => (
              <li key={key} className="flex min-w-0 gap-2">
                <KeyText text={key} />
                <span className="text-ink-3">{say(sentences, because)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Notice tone="warning">{t('keepsWorking')}</Notice>
      <ReasonField value={reason} onChange={onReason} />
    </form>
  );
}

function PreviewTable({ items }: { items: Lock[] }) {
  const t = useTranslations('locks');
  const columns: Column<Lock>[] = [
    {
      id: 'key',
      header: t('columns.key'),
      className: 'max-w-64',
      cell: (lock) => <KeyText text={lock.key} />,
    },
    {
      id: 'holder',
      header: t('columns.holder'),
      className: 'max-w-48',
      cell: (lock) => <HolderText lock={lock} />,
    },
    {
      id: 'heldFor',
      header: t('columns.heldFor'),
      align: 'end',
      cell: (lock) => (lock.hold ? <Elapsed since={lock.hold.since} /> : '–'),
    },
    {
      id: 'waiting',
      header: t('columns.waiting'),
      align: 'end',
      cell: (lock) => <WaitingText waiting={lock.waiting} short />,
    },
  ];
  return (
    <DataTable
      caption={t('bulk.listLabel')}
      columns={columns}
      rows={items}
      rowKey={(lock) => `${lock.db}:${lock.keyB64}`}
      empty={<p className="p-3 text-sm text-ink-2">{t('bulk.nothing')}</p>}
    />
  );
}
