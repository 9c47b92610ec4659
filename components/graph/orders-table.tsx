'use client';

import { useTranslations } from 'use-intl';
import { KeyText, TimeAgo, useFormatName } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import type { LockOrder, Orders } from '@/lib/protocol/deadlock';

/** In which order locks were seen to be taken, by class; and of whom no order can be learnt. */
export function OrdersTable({ orders }: { orders: Orders }) {
  const t = useTranslations('deadlocks');
  const formatName = useFormatName();
  const columns: Column<LockOrder>[] = [
    {
      id: 'first',
      header: t('orderFirst'),
      cell: ({ first }) => <KeyText text={first} />,
      className: 'max-w-[18rem]',
    },
    {
      id: 'second',
      header: t('orderSecond'),
      cell: ({ second }) => <KeyText text={second} />,
      className: 'max-w-[18rem]',
    },
    { id: 'times', header: t('orderTimes'), cell: ({ times }) => times, align: 'end' },
    { id: 'last', header: t('orderLast'), cell: ({ lastAt }) => <TimeAgo at={lastAt} /> },
    {
      id: 'owner',
      header: t('orderExample'),
      cell: ({ example }) => <KeyText text={example.ownerApp ?? example.owner} />,
      wideOnly: true,
      className: 'max-w-[14rem]',
    },
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="min-w-0 rounded-lg border border-line bg-surface">
        <DataTable
          caption={t('ordersCaption')}
          columns={columns}
          rows={orders.items}
          rowKey={({ first, second }) => JSON.stringify([first, second])}
          empty={<EmptyState title={t('noneOf.orders')}>{t('noOrdersText')}</EmptyState>}
        />
      </div>
      {orders.unfollowed.length > 0 && (
        <Notice>
          {t('unfollowed', {
            formats: orders.unfollowed.map(({ format }) => formatName(format)).join(', '),
            count: orders.unfollowed.reduce((sum, { locks }) => sum + locks, 0),
          })}
        </Notice>
      )}
      {orders.dropped > 0 && <Notice>{t('ordersDropped', { count: orders.dropped })}</Notice>}
    </div>
  );
}
