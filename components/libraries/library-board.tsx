'use client';

import { useTranslations } from 'use-intl';
import { useLive, useSession } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { DiscoverPanel } from './discover-panel';
import { LibraryTable } from './library-table';
import { PinPanel } from './pin-panel';

/** What is pinned, what else looks like locks, and whose locks are understood. */
export function LibraryBoard() {
  const t = useTranslations('libraries');
  const session = useSession();
  const answer = useLive('libraries', {});
  const { data: targets } = useLive('targets', {});
  const target = targets?.[0];
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      {session?.role === 'viewer' && <p className="text-xs text-ink-2">{t('viewerCannot')}</p>}
      <LiveData snapshot={answer}>
        {({ pins, libraries, discoveries }) => (
          <div className="flex min-w-0 flex-col gap-3">
            <PinPanel pins={pins} target={target?.id} />
            <DiscoverPanel runs={discoveries} target={target} />
            <Panel title={t('supported')} description={t('supportedHint')} flush>
              <LibraryTable libraries={libraries} />
            </Panel>
          </div>
        )}
      </LiveData>
    </PageBody>
  );
}
