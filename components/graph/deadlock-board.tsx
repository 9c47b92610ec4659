'use client';

import { clsx } from 'clsx';
import { Waypoints } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Deadlock } from '@/lib/protocol/measures';
import { useLive, useUrlParams } from '@/components/hooks';
import {
  ClockTime,
  Countdown,
  Elapsed,
  EvidenceMark,
  useClockText,
  useDurationText,
} from '@/components/labels';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { Badge } from '@/components/ui/badge';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { firstDeadline, suggestedVictim } from './cycle-end';
import { MAX_DRAWN } from './cycle-layout';
import { CyclePicture } from './cycle-picture';
import { CycleWords } from './cycle-words';

/** Circles of owners that wait for each other: the present ones, then those that are over. */
export function DeadlockBoard() {
  const t = useTranslations('deadlocks');
  const answer = useLive('deadlocks', {});
  const marked = useUrlParams().get('deadlock');
  return (
    <PageBody>
      <PageHeader title={t('title')} description={t('description')} />
      <LiveData snapshot={answer} ofRedis>
        {(items) => {
          const now = items.filter((each) => each.state !== 'resolved');
          const past = items.filter((each) => each.state === 'resolved');
          return (
            <div className="flex min-w-0 flex-col gap-3">
              {now.length === 0 && <NoDeadlock />}
              {now.map((each) => (
                <DeadlockCard key={each.id} deadlock={each} marked={each.id === marked} />
              ))}
              {past.length > 0 && (
                <h2 className="mt-2 text-sm font-semibold text-ink-2">{t('past')}</h2>
              )}
              {past.map((each) => (
                <DeadlockCard key={each.id} deadlock={each} marked={each.id === marked} />
              ))}
            </div>
          );
        }}
      </LiveData>
    </PageBody>
  );
}

function NoDeadlock() {
  const t = useTranslations('deadlocks');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState icon={<Waypoints size={22} aria-hidden />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}

function DeadlockCard({ deadlock, marked }: { deadlock: Deadlock; marked: boolean }) {
  const t = useTranslations('deadlocks');
  const clock = useClockText();
  const duration = useDurationText();
  const card = useRef<HTMLElement>(null);
  const isOver = deadlock.state === 'resolved';
  const victim = isOver ? null : suggestedVictim(deadlock.cycle);
  const title = t('cycleOf', { count: deadlock.cycle.length });
  const locks = deadlock.cycle.map(({ waitsFor }) => waitsFor.key.slice(0, 200)).join(', ');
  // Several circles are on one page, each a landmark.
  const label = t('cycleLabel', { title, at: clock(deadlock.since), locks });
  useEffect(() => {
    if (marked) card.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  return (
    <section
      ref={card}
      aria-label={label}
      className={clsx(
        'min-w-0 rounded-lg border bg-surface',
        marked ? 'border-accent-ink' : isOver ? 'border-line' : 'border-critical/60',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-2">
        <Badge tone={isOver ? 'neutral' : 'critical'}>{t(`states.${deadlock.state}`)}</Badge>
        <h2 className="text-sm font-semibold">{title}</h2>
        <EvidenceMark evidence={deadlock.evidence} named />
        <span className="ml-auto text-xs text-ink-3">
          {deadlock.resolvedAt === null ? (
            <>
              {t('for')} <Elapsed since={deadlock.since} className="text-ink-2" />
            </>
          ) : (
            <>
              <ClockTime at={deadlock.since} />{' '}
              {t('lasted', { duration: duration(deadlock.resolvedAt - deadlock.since) })}
            </>
          )}
        </span>
      </header>
      <div className="grid min-w-0 gap-4 p-3 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:items-center">
        {deadlock.cycle.length <= MAX_DRAWN ? (
          <div className="flex justify-center">
            <CyclePicture deadlock={deadlock} victim={victim} />
          </div>
        ) : (
          <p className="text-sm text-ink-3">{t('tooMany', { count: deadlock.cycle.length })}</p>
        )}
        <CycleWords deadlock={deadlock} victim={victim} />
      </div>
      {!isOver && <Ending deadlock={deadlock} />}
    </section>
  );
}

function Ending({ deadlock }: { deadlock: Deadlock }) {
  const t = useTranslations('deadlocks');
  const deadline = firstDeadline(deadlock.cycle);
  return (
    <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
      {deadline === null ? (
        <span className="font-medium text-critical">{t('endsNever')}</span>
      ) : (
        <>
          {t('endsItself')} <Countdown deadline={deadline} className="font-medium text-ink" />.
        </>
      )}{' '}
      {t('victimWhy')}
    </p>
  );
}
