'use client';

import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { MeasureLinks } from '@/components/charts/measure-links';
import { RangePicker } from '@/components/charts/range-picker';
import { SubjectFilter } from '@/components/charts/subject-filter';
import { subjectQuery } from '@/components/charts/subject';
import { RANGE_MS, rangeChanges } from '@/components/charts/time-range';
import { useLive, useNow, useUrlParams, type UrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { downloadCsv } from '@/components/ui/download';
import { IconButton } from '@/components/ui/icon-button';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { SegmentedControl } from '@/components/ui/segmented-control';
import type { Blame } from '@/lib/protocol/measures';
import { blameCsv } from './blame-csv';
import { BlameHeadline } from './blame-headline';
import { blameLines } from './blame-lines';
import { BlameNotices, NoBlame } from './blame-notices';
import { BlamePicture } from './blame-picture';
import { BlameRanking } from './blame-ranking';
import { blameTree, isWithin, nodesAlong } from './blame-tree';
import {
  BLAME_RANGES,
  blameQuery,
  HOLDER_KINDS,
  LIST_KINDS,
  readBlameView,
  zoomText,
  type BlameView,
} from './blame-view';

/** Waiting time put down to whoever held the lock: a ranking, and where it comes from. */
export function BlameBoard() {
  const t = useTranslations('blame');
  const url = useUrlParams();
  const view = readBlameView(url.get);
  const now = useNow(10_000);
  const answer = useLive('blame', blameQuery(view, now));
  const { data } = answer;
  const leaves = data?.leaves ?? [];
  return (
    <PageBody>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <MeasureLinks
            to={['heatmap', 'waits']}
            subject={subjectQuery(view.subject)}
            time={{ ...view.range, lengthMs: RANGE_MS[view.range.name] }}
          />
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        <RangePicker
          range={view.range}
          choice={BLAME_RANGES}
          shown={data ?? null}
          onChange={url.set}
        />
        <SubjectFilter
          subject={view.subject}
          namespaces={namesOf(leaves.map(({ namespace }) => namespace))}
          classes={namesOf(leaves.map((leaf) => leaf.class))}
          onChange={(changes, how) => url.set({ ...changes, zoom: null }, how)}
        />
      </div>
      <LiveData snapshot={answer} ofRedis>
        {(blame) => <BlamePanels data={blame} view={view} set={url.set} />}
      </LiveData>
    </PageBody>
  );
}

const namesOf = (all: readonly string[]): string[] => [...new Set(all)].toSorted();

interface PanelsProps {
  data: Blame;
  view: BlameView;
  set: UrlParams['set'];
}

function BlamePanels({ data, view, set }: PanelsProps) {
  const t = useTranslations('blame');
  const tree = useMemo(() => blameTree(data), [data]);
  const zoom = nodesAlong(tree, view.zoom).at(-1)?.path ?? [];
  const leaves = data.leaves.filter((leaf) => isWithin(leaf, zoom));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <BlameNotices data={data} />
      {data.totalMs === 0 ? (
        <NoBlame data={data} />
      ) : (
        <>
          <BlameHeadline data={data} range={view.range} />
          <BlamePicture tree={tree} zoom={zoom} onZoom={(path) => set({ zoom: zoomText(path) })} />
          <Panel
            title={t('list')}
            description={t('listHint')}
            flush
            actions={
              <>
                <SegmentedControl
                  label={t('holderKind')}
                  value={view.by}
                  options={HOLDER_KINDS.map((value) => ({
                    value,
                    label: t(`holderKinds.${value}`),
                  }))}
                  onChange={(by) => set({ by: by === 'process' ? null : by }, 'replace')}
                />
                <SegmentedControl
                  label={t('listKind')}
                  value={view.list}
                  options={LIST_KINDS.map((value) => ({ value, label: t(`listKinds.${value}`) }))}
                  onChange={(list) => set({ list: list === 'lock' ? null : list }, 'replace')}
                />
                <IconButton
                  label={t('exportCsv')}
                  icon={<Download size={14} aria-hidden />}
                  onClick={() => downloadCsv('blame.csv', blameCsv(data))}
                />
              </>
            }
          >
            <BlameRanking
              lines={blameLines(leaves, view.list)}
              totalMs={data.totalMs}
              evidence={data.evidence}
              range={rangeChanges(view.range)}
            />
          </Panel>
        </>
      )}
    </div>
  );
}
