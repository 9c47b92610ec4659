'use client';

import { Timer } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Waits } from '@/lib/protocol/measures';
import { DistributionChart } from '@/components/charts';
import { useLive, useNow, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { ClassTable } from './class-table';
import { NotObservable } from './not-observable';
import { PercentileTiles } from './percentile-tiles';
import { WaitSources } from './wait-sources';
import { readWaitsView, waitsQuery, type WaitsView } from './waits-view';
import { WaitsToolbar } from './waits-toolbar';

/** Waits beside holds: their distribution, where they are known from, and where they cannot be known. */
export function WaitsBoard() {
  const t = useTranslations('waits');
  const url = useUrlParams();
  const view = readWaitsView(url.get);
  const now = useNow(10_000);
  const answer = useLive('waits', waitsQuery(view, now));
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <WaitsToolbar
        view={view}
        classes={answer.data?.byClass.map((row) => row.class) ?? []}
        onChange={url.set}
      />
      <LiveData snapshot={answer} ofRedis>
        {(data) => (
          <WaitsPanels data={data} view={view} onClass={(name) => url.set({ class: name })} />
        )}
      </LiveData>
    </PageBody>
  );
}

interface PanelsProps {
  data: Waits;
  view: WaitsView;
  onClass: (name: string) => void;
}

function WaitsPanels({ data, view, onClass }: PanelsProps) {
  const t = useTranslations('waits');
  if (data.holds.count === 0 && data.count === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <WhenSeen>
          <EmptyState icon={<Timer size={22} aria-hidden />} title={t('nothing')}>
            {t('nothingText')}
          </EmptyState>
        </WhenSeen>
      </div>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {data.gaps.length > 0 && (
        <Notice tone="warning">{t('gaps', { count: data.gaps.length })}</Notice>
      )}
      <PercentileTiles data={data} />
      <Panel title={t('distribution')} description={t('distributionHint')}>
        <Explanation data={data} view={view} />
        <DistributionChart waits={data} holds={data.holds} />
      </Panel>
      <div className="grid min-w-0 gap-3 lg:grid-cols-2">
        <Panel title={t('source')}>
          <WaitSources sources={data.sources} />
        </Panel>
        <Panel title={t('notObservable')}>
          <NotObservable classes={data.notObservable} />
        </Panel>
      </div>
      <Panel title={t('byClass')} flush>
        <ClassTable rows={data.byClass} onClass={onClass} />
      </Panel>
    </div>
  );
}

/** Why there are no bars for waits, when there are none. */
function Explanation({ data, view }: { data: Waits; view: WaitsView }) {
  const t = useTranslations('waits');
  if (data.count > 0) return null;
  if (view.key !== '') return <Notice className="mb-3">{t('waitsUnknownKey')}</Notice>;
  if (data.evidence === 'unknown') {
    return (
      <Notice className="mb-3" title={t('waitsUnknown')}>
        {t('waitsUnknownText')}
      </Notice>
    );
  }
  return (
    <Notice className="mb-3">{t(data.gaps.length > 0 ? 'noWaitsBesideGaps' : 'noWaits')}</Notice>
  );
}
