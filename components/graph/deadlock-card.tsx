'use client';

import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Deadlock } from '@/lib/protocol/deadlock';
import {
  ClockTime,
  Countdown,
  Elapsed,
  EvidenceMark,
  useClockText,
  useDurationText,
} from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { PageLink } from '@/components/ui/page-link';
import { firstDeadline, suggestedVictim } from './cycle-end';
import { MAX_DRAWN } from './cycle-layout';
import { CyclePicture } from './cycle-picture';
import { CycleWords } from './cycle-words';

interface Props {
  deadlock: Deadlock;
  marked?: boolean;
  /** Shows it as it stood at this moment of the past, epoch ms. */
  at?: number | undefined;
}

/** One circle, drawn and in words, with what may end it while it lasts. */
export function DeadlockCard({ deadlock, marked = false, at }: Props) {
  const t = useTranslations('deadlocks');
  const clock = useClockText();
  const card = useRef<HTMLElement>(null);
  const isOver = at === undefined && deadlock.state === 'resolved';
  const isLasting = at === undefined && !isOver;
  const victim = isLasting ? suggestedVictim(deadlock.cycle) : null;
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
        <Badge tone={isOver ? 'neutral' : 'critical'}>
          {t(at === undefined ? `states.${deadlock.state}` : 'stoodThen')}
        </Badge>
        <h2 className="text-sm font-semibold">{title}</h2>
        <EvidenceMark evidence={deadlock.evidence} named />
        <span className="ml-auto text-xs text-ink-3">
          <HowLong deadlock={deadlock} at={at} />
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
        <CycleWords deadlock={deadlock} victim={victim} at={at} />
      </div>
      {isLasting && <Ending deadlock={deadlock} />}
    </section>
  );
}

/** Since when it lasts, how long it lasted, or both as seen from a moment of the past. */
function HowLong({ deadlock: { since, resolvedAt }, at }: Props) {
  const t = useTranslations('deadlocks');
  const duration = useDurationText();
  if (at !== undefined) {
    const lasted = duration(at - since);
    return resolvedAt === null
      ? t('lastedByThen', { lasted })
      : t('lastedAndEnded', { lasted, later: duration(resolvedAt - at) });
  }
  if (resolvedAt === null) {
    return (
      <>
        {t('for')} <Elapsed since={since} className="text-ink-2" />
      </>
    );
  }
  return (
    <>
      <PageLink href={`/deadlocks?at=${since}`} className="hover:underline">
        <ClockTime at={since} />
      </PageLink>{' '}
      {t('lasted', { duration: duration(resolvedAt - since) })}
    </>
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
