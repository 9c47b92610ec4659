'use client';

import { clsx } from 'clsx';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Deadlock } from '@/lib/protocol/deadlock';
import {
  ClockTime,
  Elapsed,
  EvidenceMark,
  useClockText,
  useDurationText,
} from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { PageLink } from '@/components/ui/page-link';
import { victimOf } from './deadlock-end';
import { Ending, HowItEnded } from './ending';
import { ExportButtons } from './files/export-buttons';
import { MAX_DRAWN } from './graph-layout';
import { GraphPicture } from './graph-picture';
import { GraphWords } from './graph-words';

interface Props {
  deadlock: Deadlock;
  marked?: boolean;
  /** Shows it as it stood at this moment of the past, epoch ms. */
  at?: number | undefined;
  /** It is of a file: nothing of it is live, and nothing leads anywhere. */
  isStill?: boolean;
  /** More to do with it, beside what every card has. */
  actions?: ReactNode;
}

/** One circle, drawn and in words, with what may end it while it lasts. */
export function DeadlockCard({ deadlock, marked = false, at, isStill = false, actions }: Props) {
  const t = useTranslations('deadlocks');
  const clock = useClockText();
  const card = useRef<HTMLElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const isOver = at === undefined && deadlock.state === 'resolved';
  const isLasting = at === undefined && !isOver && !isStill;
  const victim = isLasting ? victimOf(deadlock) : null;
  const title = t('cycleOf', { count: new Set(deadlock.cycle.map(({ owner }) => owner)).size });
  const locks = deadlock.cycle.map(({ waitsFor }) => waitsFor.key.slice(0, 200)).join(', ');
  // Several circles are on one page, each a landmark.
  const live = t('cycleLabel', { title, at: clock(deadlock.since), locks });
  const label = isStill ? `${t('imported')}: ${live}` : live;
  useEffect(() => {
    if (marked) card.current?.scrollIntoView({ block: 'center' });
  }, [marked]);
  return (
    <section
      ref={card}
      aria-label={label}
      className={clsx(
        'min-w-0 rounded-lg border bg-surface',
        marked ? 'border-accent-ink' : isLasting ? 'border-critical/60' : 'border-line',
      )}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-2">
        <Badge tone={isLasting || at !== undefined ? 'critical' : 'neutral'}>
          {t(at === undefined ? `states.${deadlock.state}` : 'stoodThen')}
        </Badge>
        <h2 className="text-sm font-semibold">{title}</h2>
        <EvidenceMark evidence={deadlock.evidence} named />
        <span className="ml-auto flex items-center gap-2 text-xs text-ink-3">
          <HowLong deadlock={deadlock} at={at} isStill={isStill} />
          {actions}
          <ExportButtons deadlock={deadlock} picture={picture} title={label} />
        </span>
      </header>
      <div className="grid min-w-0 gap-4 p-3 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:items-center">
        {deadlock.cycle.length <= MAX_DRAWN ? (
          <div className="flex justify-center">
            <GraphPicture ref={picture} {...{ deadlock, victim, at, isStill }} />
          </div>
        ) : (
          <p className="text-sm text-ink-3">{t('tooMany', { count: deadlock.cycle.length })}</p>
        )}
        <GraphWords {...{ deadlock, victim, at, isStill }} />
      </div>
      {isLasting && <Ending deadlock={deadlock} victim={victim} />}
      {isOver && <HowItEnded deadlock={deadlock} />}
    </section>
  );
}

/** Since when it lasts, how long it lasted, or both as seen from a moment of the past. */
function HowLong({ deadlock: { since, resolvedAt }, at, isStill }: Props) {
  const t = useTranslations('deadlocks');
  const duration = useDurationText();
  if (at !== undefined) {
    const lasted = duration(at - since);
    return resolvedAt === null
      ? t('lastedByThen', { lasted })
      : t('lastedAndEnded', { lasted, later: duration(resolvedAt - at) });
  }
  if (isStill) {
    return (
      <span>
        <ClockTime at={since} />{' '}
        {resolvedAt !== null && t('lasted', { duration: duration(resolvedAt - since) })}
      </span>
    );
  }
  if (resolvedAt === null) {
    return (
      <span>
        {t('since')} <ClockTime at={since} /> {t('for')}{' '}
        <Elapsed since={since} className="text-ink-2" />
      </span>
    );
  }
  return (
    <span>
      <PageLink href={`/deadlocks?at=${since}`} className="hover:underline">
        <ClockTime at={since} />
      </PageLink>{' '}
      {t('lasted', { duration: duration(resolvedAt - since) })}
    </span>
  );
}
