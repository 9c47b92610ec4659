'use client';

import { Grid3x3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { MeasureLinks } from '@/components/charts/measure-links';
import { useLive, useNow } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { PageLink } from '@/components/ui/page-link';
import { Skeleton } from '@/components/ui/skeleton';
import type { Heatmap } from '@/lib/protocol/measures';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { HeatBreadcrumb } from './heat-breadcrumb';
import { EARLIER, type Earlier } from './heat-compare';
import { dataEnd, heatData, type HeatData } from './heat-data';
import { HeatMap } from './heat-map';
import type { HeatView, Span } from './heat-params';
import { RANGES, earlierQuery, heatQuery } from './heat-params';
import { HeatToolbar } from './heat-toolbar';
import { useHeatAddress } from './use-heat-address';

/** What is above and below the map on this page; the map gets the rest of the window. */
const CHROME_PX = 400;
const LEAST_HEIGHT_PX = 260;

/** The heatmap page: toolbar, map, legend and table, all from its address. */
export function HeatBoard() {
  const t = useTranslations('heatmap');
  const address = useHeatAddress();
  const { view, set } = address;
  const now = useNow(10_000);
  const query = heatQuery(view, now);
  const answer = useLive('heatmap', query);
  const maxHeight = useRoomBelow();
  return (
    <PageBody wide>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <MeasureLinks
            to={['waits', 'blame']}
            subject={{
              ...(view.namespace !== null && { namespace: view.namespace }),
              ...(view.class !== null && { class: view.class }),
            }}
            time={{ fixed: view.fixed, name: view.range, lengthMs: RANGES[view.range] }}
          />
        }
      />
      <HeatToolbar
        view={view}
        onMetric={(metric) => set({ metric: metric === 'hold-share' ? null : metric })}
        onGroup={(group) => set({ group: group === 'class' ? null : group, rowSpan: null })}
        onRange={(range) =>
          set({ range: range === '30m' ? null : range, from: null, to: null, rowSpan: null })
        }
        onEarlier={(earlier) => set({ vs: earlier })}
        onPause={() => answer.data && address.show(shownTime(view, answer.data), view.rowSpan)}
        onResume={address.follow}
        onBack={address.back}
      />
      <HeatBreadcrumb shown={view} onSubject={address.drill} />
      <LiveData snapshot={answer} ofRedis loading={<Skeleton className="h-96 w-full" />}>
        {(data) =>
          data.rows.length === 0 ? (
            <Empty />
          ) : (
            <ReadHeatmap answer={data} view={view} query={query}>
              {(shown) => (
                <HeatMap
                  {...shown}
                  query={query}
                  view={view}
                  maxHeight={maxHeight}
                  now={view.at ?? now}
                  address={address}
                />
              )}
            </ReadHeatmap>
          )
        }
      </LiveData>
    </PageBody>
  );
}

interface Shown {
  data: HeatData;
  time: Span;
  comparison: { earlier: Earlier; before: HeatData | null } | null;
}

interface ReadProps {
  answer: Heatmap;
  view: HeatView;
  query: HeatmapParams;
  children: (shown: Shown) => ReactNode;
}

/** Makes an answer ready once, however often the page is drawn. */
function ReadHeatmap({ answer, view, query, children }: ReadProps) {
  const data = useMemo(() => heatData(answer), [answer]);
  const { from, to } = shownTime(view, answer);
  const time = useMemo(() => ({ from, to }), [from, to]);
  if (view.earlier) {
    return (
      <Compared data={data} earlier={view.earlier} query={query}>
        {(comparison) => children({ data, time, comparison })}
      </Compared>
    );
  }
  return children({ data, time, comparison: null });
}

interface ComparedProps {
  data: HeatData;
  earlier: Earlier;
  query: HeatmapParams;
  children: (comparison: NonNullable<Shown['comparison']>) => ReactNode;
}

/** Asks for the same stretch of some time before as well. */
function Compared({ data, earlier, query, children }: ComparedProps) {
  const from = data.columns[0] ?? 0;
  const to = dataEnd(data) ?? from + 1;
  const answer = useLive('heatmap', earlierQuery(query, { from, to }, EARLIER[earlier])).data;
  const isOfMetric = answer?.metric === data.metric;
  const before = useMemo(
    () => (answer && isOfMetric ? heatData(answer) : null),
    [answer, isOfMetric],
  );
  return children(useMemo(() => ({ earlier, before }), [earlier, before]));
}

/** A live map ends with its newest column, so that columns do not slide between two answers. */
function shownTime(view: HeatView, data: Pick<Heatmap, 'columns' | 'stepMs'>): Span {
  if (view.fixed) return view.fixed;
  const to = dataEnd(data) ?? 0;
  return { from: to - RANGES[view.range], to };
}

function Empty() {
  const t = useTranslations('heatmap');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState
          icon={<Grid3x3 size={22} aria-hidden />}
          title={t('empty')}
          actions={
            <PageLink href="/targets" className={buttonClass()}>
              {t('toTargets')}
            </PageLink>
          }
        >
          {t('emptyText')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}

/** The height left for the map, so that turning the wheel over it never has to scroll the page. */
function useRoomBelow(): number {
  const [height, setHeight] = useState(560);
  useEffect(() => {
    const measure = () => setHeight(Math.max(LEAST_HEIGHT_PX, window.innerHeight - CHROME_PX));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return height;
}
