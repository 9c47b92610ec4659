'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { MeasureLinks } from '@/components/charts/measure-links';
import type { SubjectQuery } from '@/components/charts/subject';
import { RANGE_MS } from '@/components/charts/time-range';
import {
  ClockTime,
  DurationText,
  EndReasonLabel,
  Figure,
  KeyText,
  lockHref,
  useDurationText,
} from '@/components/labels';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import type { LockDetail, PastHold } from '@/lib/protocol/lock';
import { HoldTimeline } from './hold-timeline';
import { Overruns } from './overruns';

const FEW = 10;
const LAST_HOUR = { fixed: null, name: '1h', lengthMs: RANGE_MS['1h'] };

/** Who held the lock before, how each hold ended, and what else is known of it. */
export function HistoryPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.history');
  const ui = useTranslations('ui');
  const [showsAll, setShowsAll] = useState(false);
  const columns = useColumns(lock);
  const rows = showsAll ? lock.holds : lock.holds.slice(0, FEW);
  return (
    <Panel
      title={t('title')}
      flush
      aside={<span className="text-xs text-ink-3">{lock.holds.length}</span>}
      actions={
        <>
          {lock.holds.length > FEW && (
            <Button look="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? ui('showLess') : ui('showAll')}
            </Button>
          )}
          <MeasureLinks
            to={['heatmap', 'waits', 'blame']}
            subject={subjectOf(lock)}
            time={LAST_HOUR}
          />
        </>
      }
    >
      <HoldTimeline holds={lock.holds} current={lock.hold} />
      <Overruns lock={lock} />
      <DataTable
        caption={t('tableLabel')}
        columns={columns}
        rows={rows}
        rowKey={(hold) => `${hold.generation}:${hold.start}`}
        empty={<p className="px-3 pb-3 text-sm text-ink-2 first:pt-3">{t('none')}</p>}
      />
    </Panel>
  );
}

const subjectOf = ({ namespace, class: lockClass, db, keyB64 }: LockDetail): SubjectQuery => ({
  namespace,
  class: lockClass,
  db,
  keyB64,
});

function useColumns(lock: LockDetail): Column<PastHold>[] {
  const t = useTranslations('lock.history');
  const labels = useTranslations('labels');
  return [
    {
      id: 'number',
      header: t('number'),
      align: 'end',
      cell: (hold) => <span className="text-ink-3">{hold.generation}</span>,
    },
    {
      id: 'start',
      header: t('start'),
      cell: (hold) => (
        <PageLink
          href={lockHref(lock, hold.start)}
          prefetch={false}
          title={t('asItWas')}
          className="text-accent-ink hover:underline"
        >
          <ClockTime at={hold.start} />
        </PageLink>
      ),
    },
    {
      id: 'owner',
      header: t('owner'),
      className: 'max-w-56',
      cell: (hold) =>
        hold.owner === null ? (
          <span className="text-ink-3">{labels('ownerUnknown')}</span>
        ) : (
          <KeyText text={hold.owner} />
        ),
    },
    ...(lock.holds.some(({ businessId }) => businessId)
      ? [
          {
            id: 'business',
            header: t('business'),
            className: 'max-w-40',
            cell: (hold: PastHold) => hold.businessId && <KeyText text={hold.businessId} />,
          },
        ]
      : []),
    {
      id: 'duration',
      header: t('duration'),
      align: 'end',
      cell: (hold) => (
        <Figure evidence={hold.evidence}>
          {hold.end === null ? null : <DurationText ms={hold.end - hold.start} />}
        </Figure>
      ),
    },
    {
      id: 'reason',
      header: t('reason'),
      className: 'max-w-64',
      cell: (hold) => <EndedBy hold={hold} />,
    },
    { id: 'renewals', header: t('renewals'), align: 'end', cell: (hold) => hold.renewals },
    {
      id: 'depth',
      header: t('depth'),
      align: 'end',
      wideOnly: true,
      cell: (hold) => hold.maxDepth,
    },
    {
      id: 'notes',
      header: t('notes'),
      className: 'min-w-64 whitespace-normal!',
      cell: (hold) => <Notes hold={hold} />,
    },
  ];
}

function EndedBy({ hold }: { hold: PastHold }) {
  const t = useTranslations('lock.history');
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <EndReasonLabel reason={hold.endReason ?? 'unknown'} />
      {hold.endedBy !== null && (
        <span className="flex min-w-0 gap-1 text-xs text-ink-2">
          {t.rich('endedBy', { who: () => <KeyText text={hold.endedBy ?? ''} /> })}
        </span>
      )}
    </span>
  );
}

function Notes({ hold }: { hold: PastHold }) {
  const t = useTranslations('lock.history');
  const notes = useTranslations('labels.notes');
  const duration = useDurationText();
  const lines = hold.notes.map((note) =>
    note === 'late-release' && hold.lateReleaseMs !== null
      ? t('lateRelease', { late: duration(hold.lateReleaseMs) })
      : notes(note),
  );
  if (lines.length === 0) return null;
  return <span className="text-xs text-ink-2">{lines.join(' ')}</span>;
}
