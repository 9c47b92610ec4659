'use client';

import { useTranslations } from 'use-intl';
import { useLive, useSession } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { ChannelPanel } from './channel-panel';
import { DeliveryPanel } from './delivery-panel';
import { RoutePanel } from './route-panel';
import { useIsAdmin } from './use-is-admin';

/** Who is told of alerts, by what means, which alerts, and how that goes. */
export function NotifyBoard() {
  const t = useTranslations('notifications');
  const session = useSession();
  const isAdmin = useIsAdmin();
  const answer = useLive('notify', {});
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      {session && !isAdmin && <p className="text-xs text-ink-2">{t('notAdmin')}</p>}
      <LiveData snapshot={answer}>
        {({ channels, routes, routesVersion, deliveries }) => (
          <div className="flex min-w-0 flex-col gap-3">
            <ChannelPanel channels={channels} routes={routes} />
            {isAdmin && <RoutePanel {...{ channels, routes, routesVersion }} />}
            {isAdmin && <DeliveryPanel deliveries={deliveries} />}
          </div>
        )}
      </LiveData>
    </PageBody>
  );
}
