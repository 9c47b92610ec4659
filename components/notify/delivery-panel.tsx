'use client';

import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { alertHref, ClockTime, Countdown } from '@/components/labels';
import { Badge, type Tone } from '@/components/ui/badge';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import type { Delivery } from '@/lib/protocol/notify';

type State = 'delivered' | 'waiting' | 'retrying' | 'failed';

const TONE: Record<State, Tone> = {
  delivered: 'ok',
  waiting: 'neutral',
  retrying: 'warning',
  failed: 'critical',
};

function stateOf({ deliveredAt, nextAt, attempts }: Delivery): State {
  if (deliveredAt !== null) return 'delivered';
  if (nextAt === null) return 'failed';
  return attempts === 0 ? 'waiting' : 'retrying';
}

/** What was told to whom, and what is still tried. */
export function DeliveryPanel({ deliveries }: { deliveries: readonly Delivery[] }) {
  const t = useTranslations('notifications');
  const columns: Column<Delivery>[] = [
    { id: 'when', header: t('when'), cell: ({ at }) => <ClockTime at={at} /> },
    {
      id: 'state',
      header: t('state'),
      cell: (delivery) => {
        const state = stateOf(delivery);
        return <Badge tone={TONE[state]}>{t(`deliveryStates.${state}`)}</Badge>;
      },
    },
    {
      id: 'channel',
      header: t('channel'),
      className: 'max-w-44',
      cell: ({ channelName }) => <span className="block truncate">{channelName}</span>,
    },
    { id: 'what', header: t('what'), className: 'max-w-md', cell: (each) => <What {...each} /> },
    { id: 'attempts', header: t('attempts'), align: 'end', cell: ({ attempts }) => attempts },
    {
      id: 'next',
      header: t('nextTry'),
      cell: ({ nextAt }) => (nextAt === null ? null : <NextTry at={nextAt} />),
    },
    {
      id: 'error',
      header: t('error'),
      className: 'max-w-md',
      cell: ({ error }) =>
        error && (
          <span className="block min-w-48 text-xs break-words whitespace-normal text-ink-2">
            {error}
          </span>
        ),
    },
  ];
  return (
    <Panel title={t('deliveries')} description={t('deliveriesHint', { count: 100 })} flush>
      <DataTable
        caption={t('deliveries')}
        columns={columns}
        rows={deliveries}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t('noDeliveries')} />}
      />
    </Panel>
  );
}

function What({ event, summary, alert }: Delivery) {
  const t = useTranslations('notifications');
  const text = (
    <>
      <span className="text-ink-3">{t(`events.${event}`)}</span> {summary}
    </>
  );
  return (
    <span className="block min-w-56 break-words whitespace-normal">
      {alert === null ? (
        text
      ) : (
        <PageLink href={alertHref({ id: alert })} className="hover:underline">
          {text}
        </PageLink>
      )}
    </span>
  );
}

function NextTry({ at }: { at: number }) {
  const t = useTranslations('notifications');
  const now = useNow();
  if (at <= now) return t('inTurn');
  return t.rich('inTime', { left: () => <Countdown deadline={at} /> });
}
