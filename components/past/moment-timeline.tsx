'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import { END_TONE, EndReasonLabel, Figure, DurationText } from '@/components/labels';
import { Badge, TONE_TEXT } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Panel } from '@/components/ui/panel';
import type { PastHold } from '@/lib/protocol/lock';
import { ExactClock } from './moment-text';
import { holdAt, layoutMoment, type MomentTimeline } from './moment-timeline-layout';
import { PastOwner } from './past-owner';

interface Props {
  /** Oldest first. */
  holds: readonly PastHold[];
  at: number;
  now: number;
  onMoment: (at: number) => void;
}

/** The holds around a moment, on a line of time and as a list by which one can go to each. */
export function MomentTimelinePanel({ holds, at, now, onMoment }: Props) {
  const t = useTranslations('past.around');
  const timeline = layoutMoment(holds, at, now);
  const columns = useColumns({ at, held: holdAt(holds, at), onMoment });
  return (
    <Panel title={t('title')} flush>
      {timeline && <Line timeline={timeline} at={at} />}
      <DataTable
        caption={t('tableLabel')}
        columns={columns}
        rows={holds}
        rowKey={(hold) => `${hold.generation}:${hold.start}`}
        empty={<p className="p-3 text-sm text-ink-2">{t('none')}</p>}
      />
    </Panel>
  );
}

/** The table below it says the same in words. */
function Line({ timeline, at }: { timeline: MomentTimeline; at: number }) {
  return (
    <div aria-hidden className="px-3 pt-3 pb-2">
      <div className="relative h-9 overflow-hidden rounded bg-sunken">
        {timeline.bars.map((bar) => (
          <span
            key={bar.name}
            className={clsx(
              'absolute inset-y-2 min-w-[2px] rounded-[3px] bg-current',
              bar.reason === null ? 'text-held' : TONE_TEXT[END_TONE[bar.reason]],
              bar.isAtMoment ? 'opacity-95' : 'opacity-50',
            )}
            style={{ left: `${bar.left * 100}%`, width: `${bar.width * 100}%` }}
          />
        ))}
        <span
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-past dark:bg-on-past"
          style={{ left: `${timeline.moment * 100}%` }}
        />
      </div>
      <div className="relative mt-1 h-4 text-2xs text-ink-3">
        <ExactClock at={timeline.from} beside={at} className="absolute left-0" />
        {timeline.moment > 0.2 && timeline.moment < 0.8 && (
          <span
            className="absolute -translate-x-1/2 font-medium text-ink-2 max-sm:hidden"
            style={{ left: `${timeline.moment * 100}%` }}
          >
            <ExactClock at={at} beside={at} />
          </span>
        )}
        <ExactClock at={timeline.to} beside={at} className="absolute right-0" />
      </div>
    </div>
  );
}

function useColumns(options: {
  at: number;
  held: PastHold | undefined;
  onMoment: (at: number) => void;
}): Column<PastHold>[] {
  const t = useTranslations('past.around');
  const past = useTranslations('past');
  const labels = useTranslations('labels');
  const { at, held, onMoment } = options;
  return [
    {
      id: 'start',
      header: t('start'),
      cell: (hold) => <ExactClock at={hold.start} beside={at} />,
    },
    {
      id: 'owner',
      header: t('holder'),
      className: 'max-w-44 sm:max-w-72',
      cell: ({ owner }) =>
        owner === null ? (
          <span className="text-ink-3">{labels('ownerUnknown')}</span>
        ) : (
          <PastOwner owner={owner} />
        ),
    },
    {
      id: 'length',
      header: t('length'),
      align: 'end',
      cell: ({ start, end, evidence }) =>
        end === null ? (
          <span className="text-ink-2">{past('stillHeld')}</span>
        ) : (
          <Figure evidence={evidence}>
            <DurationText ms={end - start} />
          </Figure>
        ),
    },
    {
      id: 'ended',
      header: t('ended'),
      cell: ({ end, endReason }) =>
        end !== null && <EndReasonLabel reason={endReason ?? 'unknown'} />,
    },
    {
      id: 'go',
      header: <span className="sr-only">{t('go')}</span>,
      align: 'end',
      cell: (hold) =>
        hold === held ? (
          <Badge tone="accent">{t('thisMoment')}</Badge>
        ) : (
          <Button
            aria-label={t('goLabel', { holder: hold.owner ?? labels('ownerUnknown') })}
            onClick={() => onMoment(hold.start)}
          >
            {t('go')}
          </Button>
        ),
    },
  ];
}
