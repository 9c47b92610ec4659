'use client';

import { Timer } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { MeasureLinks } from '@/components/charts/measure-links';
import { RangePicker } from '@/components/charts/range-picker';
import { RANGE_MS } from '@/components/charts/time-range';
import { SubjectFilter } from '@/components/charts/subject-filter';
import { subjectChanges, subjectQuery } from '@/components/charts/subject';
import { useLive, useNow, useUrlParams, type UrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import type { Waits } from '@/lib/protocol/measures';
import { ClassTable } from './class-table';
import { CsvButton } from './csv-button';
import { DistributionPanel } from './distribution-panel';
import { NotObservable } from './not-observable';
import { OverTimePanel } from './over-time-panel';
import { QuantileTiles } from './quantile-tiles';
import { SlowestWaits } from './slowest-waits';
import { WaitSources } from './wait-sources';
import { classesCsv, slowestCsv } from './waits-csv';
import { WaitsNotices } from './waits-notices';
import { readWaitsView, WAITS_RANGES, waitsQuery, type WaitsView } from './waits-view';

/** Waits beside holds: over time, how they are distributed, which were the longest, and where nobody can know. */
export function WaitsBoard() {
  const t = useTranslations('waits');
  const url = useUrlParams();
  const view = readWaitsView(url.get);
  const now = useNow(10_000);
  const answer = useLive('waits', waitsQuery(view, now));
  const { data } = answer;
  const inNamespace = (data?.byClass ?? []).map((row) => row.class);
  return (
    <PageBody>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <MeasureLinks
            to={['heatmap', 'blame']}
            subject={subjectQuery(view.subject)}
            time={{ ...view.range, lengthMs: RANGE_MS[view.range.name] }}
          />
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <RangePicker
          range={view.range}
          choice={WAITS_RANGES}
          shown={data ?? null}
          onChange={url.set}
        />
        <SubjectFilter
          subject={view.subject}
          namespaces={data?.namespaces ?? []}
          classes={[...new Set(inNamespace)]}
          onChange={url.set}
        />
      </div>
      <LiveData snapshot={answer} ofRedis>
        {(waits) => <WaitsPanels data={waits} view={view} set={url.set} />}
      </LiveData>
    </PageBody>
  );
}

interface PanelsProps {
  data: Waits;
  view: WaitsView;
  set: UrlParams['set'];
}

function WaitsPanels({ data, view, set }: PanelsProps) {
  const t = useTranslations('waits');
  const isEmpty = data.holds.count === 0 && data.count === 0 && data.slowest.length === 0;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <WaitsNotices data={data} isOfLock={view.subject.key !== ''} />
      {isEmpty ? (
        <Nothing isOfLock={view.subject.key !== ''} />
      ) : (
        <>
          <QuantileTiles data={data} />
          <OverTimePanel
            data={data}
            marker={view.marker}
            onMark={(marker) => set({ marker })}
            onSelect={({ from, to }) => set({ from, to })}
          />
          <DistributionPanel
            data={data}
            mode={view.bars}
            onMode={(bars) => set({ bars: bars === 'share' ? null : bars }, 'replace')}
          />
          <Panel
            title={t('slowest')}
            description={t('slowestHint')}
            flush
            actions={
              <CsvButton what={t('slowest')} file="waits-slowest" text={() => slowestCsv(data)} />
            }
          >
            <SlowestWaits slowest={data.slowest} places={data.places} />
          </Panel>
        </>
      )}
      {(!isEmpty || data.notObservable.length > 0) && (
        <div className="grid min-w-0 gap-3 lg:grid-cols-2">
          <Panel title={t('source')}>
            <WaitSources sources={data.sources} />
          </Panel>
          <Panel title={t('notObservable')}>
            <NotObservable classes={data.notObservable} />
          </Panel>
        </div>
      )}
      {data.byClass.length > 0 && (
        <Panel
          title={t('byClass')}
          flush
          actions={
            <CsvButton what={t('byClass')} file="waits-by-class" text={() => classesCsv(data)} />
          }
        >
          <ClassTable
            rows={data.byClass}
            onClass={(row) => set(subjectChanges({ namespace: row.namespace, class: row.class }))}
            onNamespace={(namespace) => set(subjectChanges({ namespace }))}
          />
        </Panel>
      )}
    </div>
  );
}

function Nothing({ isOfLock }: { isOfLock: boolean }) {
  const t = useTranslations('waits');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState icon={<Timer size={22} aria-hidden />} title={t('nothing')}>
          {t(isOfLock ? 'nothingKeyText' : 'nothingText')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}
