'use client';

import { Plus, Route as RouteIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { SeverityIcon } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { EmptyState } from '@/components/ui/empty-state';
import { Panel } from '@/components/ui/panel';
import type { Channel, Route } from '@/lib/protocol/notify';
import { RemoveRouteDialog } from './remove-route-dialog';
import { RouteDialog } from './route-dialog';

interface Props {
  channels: readonly Channel[];
  routes: readonly Route[];
  routesVersion: number | null;
}

/** Which alerts are told by which channels. */
export function RoutePanel({ channels, routes, routesVersion }: Props) {
  const t = useTranslations('notifications');
  const [editing, setEditing] = useState<Route | 'new' | null>(null);
  const [removing, setRemoving] = useState<Route | null>(null);
  const nameOf = (id: string): string => channels.find((channel) => channel.id === id)?.name ?? id;
  const columns: Column<Route>[] = [
    {
      id: 'alerts',
      header: t('alerts'),
      cell: ({ least }) => (
        <span className="inline-flex items-baseline gap-1.5 [&>svg]:self-center">
          <SeverityIcon severity={least} />
          {t(`leastSeverity.${least}`)}
        </span>
      ),
    },
    {
      id: 'namespaces',
      header: t('namespaces'),
      className: 'max-w-72',
      cell: ({ namespaces }) =>
        namespaces.length === 0 ? (
          <span className="text-ink-3">{t('everyNamespace')}</span>
        ) : (
          <span className="block break-words whitespace-normal">
            {namespaces
              .map((name) => (typeof name === 'string' ? name : t('likeNamespace', name)))
              .join(', ')}
          </span>
        ),
    },
    {
      id: 'channels',
      header: t('channels'),
      className: 'max-w-72',
      cell: (route) => (
        <span className="block break-words whitespace-normal">
          {route.channels.map(nameOf).join(', ')}
        </span>
      ),
    },
    {
      id: 'resolved',
      header: t('tellsEnd'),
      wideOnly: true,
      cell: ({ resolved }) => t(resolved ? 'yes' : 'no'),
    },
    {
      id: 'change',
      header: <span className="sr-only">{t('edit')}</span>,
      align: 'end',
      cell: (route) => (
        <>
          <Button look="ghost" aria-label={t('editRoute')} onClick={() => setEditing(route)}>
            {t('edit')}
          </Button>
          <Button look="ghost" aria-label={t('removeRoute')} onClick={() => setRemoving(route)}>
            {t('remove')}
          </Button>
        </>
      ),
    },
  ];
  const hasChannels = channels.length > 0;
  return (
    <Panel
      title={t('routes')}
      description={t('routesHint')}
      flush
      actions={
        <Button
          icon={<Plus size={13} aria-hidden />}
          disabled={!hasChannels}
          title={hasChannels ? undefined : t('noRoutesYet')}
          onClick={() => setEditing('new')}
        >
          {t('addRoute')}
        </Button>
      }
    >
      <DataTable
        caption={t('routes')}
        columns={columns}
        rows={routes}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<RouteIcon size={22} aria-hidden />} title={t('noRoutes')}>
            {hasChannels ? t('noRoutesText') : t('noRoutesYet')}
          </EmptyState>
        }
      />
      {editing && (
        <RouteDialog
          route={editing === 'new' ? null : editing}
          present={{ routes, routesVersion }}
          channels={channels}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <RemoveRouteDialog
          route={removing}
          present={{ routes, routesVersion }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Panel>
  );
}
