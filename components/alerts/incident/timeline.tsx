'use client';

import { clsx } from 'clsx';
import { ArrowRightLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useUrlParams } from '@/components/hooks';
import { EvidenceMark, useSaid } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { memberOf } from '@/lib/protocol/closed-sets';
import type { AlertDetail, AlertEvent } from '@/lib/protocol/alert';
import { EVENT_LOOK, EVENT_SORTS } from './event-kinds';
import { EventTime } from './event-time';
import { timelineRows } from './timeline-rows';

interface Props {
  detail: AlertDetail;
  /** When the incident was handed over, epoch ms. */
  handedOverAt: number | null;
}

const STEP = 200;

/** What was seen, when, by which evidence, who did what and to whom it was told. The newest at the end. */
export function Timeline({ detail, handedOverAt }: Props) {
  const t = useTranslations('incident');
  const url = useUrlParams();
  const sort = memberOf(EVENT_SORTS, url.get('events')) ?? null;
  const [most, setMost] = useState(STEP);
  const { since } = detail.alert;
  const { rows, earlier } = timelineRows(detail.events, { sort, handedOverAt, most });
  return (
    <Panel
      title={t('timeline')}
      aside={<span className="text-xs text-ink-3">{detail.events.length}</span>}
      actions={
        <SegmentedControl
          label={t('events')}
          value={sort ?? 'all'}
          options={(['all', ...EVENT_SORTS] as const).map((value) => ({
            value,
            label: t(`sorts.${value}`),
          }))}
          onChange={(value) => url.set({ events: value === 'all' ? null : value }, 'replace')}
        />
      }
      flush
    >
      {(detail.isCut || earlier > 0) && (
        <p className="flex flex-wrap items-center gap-3 border-b border-line px-3 py-1.5 text-xs text-ink-3">
          {earlier > 0 && (
            <Button onClick={() => setMost(most + STEP)}>{t('earlier', { count: earlier })}</Button>
          )}
          {detail.isCut && t('cut')}
        </p>
      )}
      {rows.length === 0 && <p className="px-3 py-4 text-sm text-ink-3">{t('noEvents')}</p>}
      <ol aria-label={t('timeline')} className="flex flex-col py-1">
        {rows.map((row) =>
          row.kind === 'event' ? (
            <EventRow key={row.id} event={row.event} since={since} isAfter={row.isAfter} />
          ) : (
            <HandedOver key={row.id} at={row.at} since={since} />
          ),
        )}
      </ol>
    </Panel>
  );
}

/** Sentences that say no more than the kind, which stands above them. */
const KIND_ALONE = ['timeline:fired', 'timeline:changed', 'timeline:reopened', 'timeline:over'];

const withoutKind = (said: AlertEvent['sentences']): AlertEvent['sentences'] =>
  said && said.length > 1 ? said.filter(({ id }) => !KIND_ALONE.includes(id)) : said;

interface EventProps {
  event: AlertEvent;
  since: number;
  isAfter: boolean;
}

function EventRow({ event, since, isAfter }: EventProps) {
  const t = useTranslations('incident');
  const say = useSaid();
  const Icon = EVENT_LOOK[event.kind].icon;
  return (
    <li
      className={clsx(
        'grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2.5 px-3 py-1.5 text-sm md:grid-cols-[1.25rem_12rem_minmax(0,1fr)]',
        isAfter && 'bg-accent-soft/60',
      )}
    >
      <span className="mt-0.5 text-ink-3">
        <Icon size={14} aria-hidden />
      </span>
      <EventTime at={event.at} since={since} />
      <div className="min-w-0 max-md:col-start-2">
        <p className="break-words">
          <span className="font-medium">{t(`kinds.${event.kind}`)}</span>
          {event.actor !== null && (
            <>
              {' '}
              <bdi className="text-ink-2">{t('by', { actor: event.actor })}</bdi>
            </>
          )}
          {event.evidence !== null && (
            <EvidenceMark evidence={event.evidence} className="ml-2 align-middle" />
          )}
        </p>
        <p className="break-words text-ink-2">{say(withoutKind(event.sentences), event.text)}</p>
      </div>
    </li>
  );
}

function HandedOver({ at, since }: { at: number; since: number }) {
  const t = useTranslations('incident');
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2.5 border-y border-dashed border-line-strong px-3 py-1.5 text-sm md:grid-cols-[1.25rem_12rem_minmax(0,1fr)]">
      <ArrowRightLeft size={14} aria-hidden className="mt-0.5 text-accent-ink" />
      <EventTime at={at} since={since} />
      <p className="font-medium max-md:col-start-2">{t('handedOver')}</p>
    </li>
  );
}
