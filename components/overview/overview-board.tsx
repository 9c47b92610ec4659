'use client';

import { ArrowRight } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Overview } from '@/lib/protocol/measures';
import { ActivityChart } from '@/components/charts';
import { useLive } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { OfRedis } from '@/components/live/loss';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { BUSIEST_ID, BusiestClasses } from './busiest-classes';
import { Counters } from './counters';
import { OpenAlerts } from './open-alerts';
import { OverviewSkeleton } from './overview-skeleton';
import { TargetList } from './target-list';

interface Props {
  /** The small heatmap, which lives in its own area. */
  heatmap: ReactNode;
}

/** The first page: what is wrong, then what is going on. */
export function OverviewBoard({ heatmap }: Props) {
  const t = useTranslations('overview');
  const overview = useLive('overview', {});
  return (
    <PageBody>
      <PageHeader title={t('title')} />
      <LiveData snapshot={overview} loading={<OverviewSkeleton />}>
        {(data) => <OverviewPanels data={data} heatmap={heatmap} />}
      </LiveData>
    </PageBody>
  );
}

function OverviewPanels({ data, heatmap }: { data: Overview; heatmap: ReactNode }) {
  const t = useTranslations('overview');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <OpenAlerts alerts={data.alerts} counts={data.alertCounts} />
      <OfRedis className="flex flex-col gap-3">
        <Counters counters={data.counters} />
        <div className="grid min-w-0 gap-3 xl:grid-cols-2">
          <Panel title={t('activity')} description={t('activityHint')}>
            {data.acquisitions.length === 0 ? (
              <p className="text-sm text-ink-3">{t('noActivity')}</p>
            ) : (
              <div className="flex flex-col gap-2">
                <h3 className="text-xs text-ink-3">{t('acquired')}</h3>
                <ActivityChart of="acquisitions" series={data.acquisitions} />
                <h3 className="text-xs text-ink-3">{t('lost')}</h3>
                <ActivityChart of="lost" series={data.lost} />
              </div>
            )}
          </Panel>
          <Panel
            title={t('heatmap')}
            description={t('heatmapHint')}
            actions={<PanelLink href="/heatmap">{t('open')}</PanelLink>}
          >
            {heatmap}
          </Panel>
        </div>
        <div id={BUSIEST_ID} className="scroll-mt-16">
          <Panel title={t('busiest')} aside={<Hint>{t('busiestHint')}</Hint>} flush>
            <BusiestClasses classes={data.busiest} />
          </Panel>
        </div>
      </OfRedis>
      <Panel
        title={t('targets')}
        actions={<PanelLink href="/targets">{t('open')}</PanelLink>}
        flush
      >
        <TargetList targets={data.targets} />
      </Panel>
    </div>
  );
}

const Hint = ({ children }: { children: ReactNode }) => (
  <span className="text-xs text-ink-3">{children}</span>
);

function PanelLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <PageLink
      href={href}
      className="inline-flex items-center gap-1 text-xs font-medium text-accent-ink hover:underline"
    >
      {children}
      <ArrowRight size={12} aria-hidden />
    </PageLink>
  );
}
