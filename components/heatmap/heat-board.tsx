'use client';

import { Grid3x3 } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Heatmap } from '@/lib/protocol/measures';
import { useLive, useNow, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { Button, buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { HeatCanvas } from './heat-canvas';
import { rowHref } from './heat-links';
import type { HeatView } from './heat-params';
import { RANGES, ROW_LIMITS, heatQuery, readHeatView } from './heat-params';
import { HeatPanel } from './heat-panel';
import { HeatToolbar } from './heat-toolbar';

/** What is above and below the map on this page; the map gets the rest of the window. */
const CHROME_PX = 366;
const LEAST_HEIGHT_PX = 260;

/** The heatmap page: toolbar, map, legend and table, all from its address. */
export function HeatBoard() {
  const t = useTranslations('heatmap');
  const url = useUrlParams();
  const router = useRouter();
  const view = readHeatView(url.get);
  const now = useNow(10_000);
  const answer = useLive('heatmap', heatQuery(view, now));
  const steps = useRef<HeatView['fixed'][]>([]);
  const maxHeight = useRoomBelow();

  const set = url.set;
  const onTime = useCallback(
    (time: { from: number; to: number }, how: 'push' | 'replace') => {
      steps.current.push(
        readHeatView((name) => new URLSearchParams(location.search).get(name)).fixed,
      );
      set({ from: time.from, to: time.to }, how);
    },
    [set],
  );
  const follow = useCallback(() => set({ from: null, to: null }), [set]);
  const back = useCallback(() => {
    const before = steps.current.pop() ?? null;
    set({ from: before?.from ?? null, to: before?.to ?? null });
  }, [set]);

  return (
    <PageBody wide>
      <PageHeader title={t('title')} description={t('description')} />
      <HeatToolbar
        view={view}
        onMetric={(metric) => set({ metric: metric === 'hold-share' ? null : metric })}
        onGroup={(group) => set({ group: group === 'class' ? null : group })}
        onRange={(range) => set({ range: range === '30m' ? null : range, from: null, to: null })}
        onPause={() => {
          const time = answer.data && shownTime(view, answer.data);
          if (time) onTime(time, 'push');
        }}
        onResume={follow}
        onBack={back}
      />
      <LiveData snapshot={answer} ofRedis loading={<Skeleton className="h-96 w-full" />}>
        {(data) =>
          data.rows.length === 0 ? (
            <Empty />
          ) : (
            <>
              <HeatPanel
                data={data}
                brightness={view.brightness}
                onBrightness={(value) => set({ brightness: value === 0 ? null : value }, 'replace')}
              >
                <HeatCanvas
                  data={data}
                  time={shownTime(view, data)}
                  brightness={view.brightness}
                  maxHeight={maxHeight}
                  hrefOf={(row) => rowHref(view.group, data.rows[row])}
                  onOpen={(row) => router.push(rowHref(view.group, data.rows[row]))}
                  onTime={onTime}
                  onBack={back}
                  onReset={follow}
                />
              </HeatPanel>
              {data.rowsLeftOut > 0 && (
                <LeftOut data={data} rows={view.rows} onRows={(rows) => set({ rows })} />
              )}
            </>
          )
        }
      </LiveData>
    </PageBody>
  );
}

/** A live map ends with its newest column, so that columns do not slide between two answers. */
function shownTime(view: HeatView, data: Heatmap): { from: number; to: number } {
  if (view.fixed) return view.fixed;
  const to = (data.columns.at(-1) ?? 0) + data.stepMs;
  return { from: to - RANGES[view.range], to };
}

function LeftOut({
  data,
  rows,
  onRows,
}: {
  data: Heatmap;
  rows: number;
  onRows: (rows: number) => void;
}) {
  const t = useTranslations('heatmap');
  const more = ROW_LIMITS.find((limit) => limit > rows);
  return (
    <Notice
      actions={
        more && <Button onClick={() => onRows(more)}>{t('showMore', { rows: more })}</Button>
      }
    >
      {t('rowsLeftOut', { count: data.rowsLeftOut })}
    </Notice>
  );
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
