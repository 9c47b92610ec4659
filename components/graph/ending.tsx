'use client';

import { useTranslations } from 'use-intl';
import { Countdown, KeyText, lockHref, useDurationText } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import { END_REASONS, memberOf } from '@/lib/protocol/closed-sets';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { firstDeadline, type Victim } from './deadlock-end';

/** What ends it: a lease that runs out, or else somebody; which release frees most, and what it costs. */
export function Ending({ deadlock, victim }: { deadlock: Deadlock; victim: Victim | null }) {
  const t = useTranslations('deadlocks');
  const deadline = firstDeadline(deadlock);
  return (
    <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
      {deadline === null ? (
        <span className="font-medium text-critical">{t('endsNever')}</span>
      ) : (
        <>
          {t('endsItself')} <Countdown deadline={deadline} className="font-medium text-ink" />.
        </>
      )}{' '}
      {deadlock.behind ? <>{t('behind', { count: deadlock.behind })} </> : null}
      {victim && <Suggestion victim={victim} target={deadlock.target} />}
    </p>
  );
}

function Suggestion({ victim, target }: { victim: Victim; target: string }) {
  const t = useTranslations('deadlocks');
  const duration = useDurationText();
  const { lock, frees, lostMs } = victim;
  return (
    <>
      {t('suggested')}{' '}
      <PageLink
        href={lockHref({ target, ...lock })}
        className="inline-flex max-w-full min-w-0 align-bottom underline decoration-line-strong underline-offset-3 hover:text-ink"
      >
        <KeyText text={lock.key} />
      </PageLink>
      {': '}
      {frees === null
        ? t('victimWhy')
        : lostMs === null
          ? t('freesMost', { count: frees })
          : t('freesMostAt', { count: frees, lost: duration(lostMs) })}
    </>
  );
}

/** By what a circle that is over was broken, where it was seen. */
export function HowItEnded({ deadlock: { brokenBy } }: { deadlock: Deadlock }) {
  const t = useTranslations('deadlocks');
  const labels = useTranslations('labels');
  if (!brokenBy) return null;
  const reason = memberOf(END_REASONS, brokenBy.reason);
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 border-t border-line px-3 py-2 text-sm text-ink-2">
      {t('brokenBy')}
      <KeyText text={brokenBy.lock.key} className="max-w-full" />
      {brokenBy.owner !== null && (
        <>
          <span className="text-ink-3">{t('heldBy')}</span>
          <KeyText text={brokenBy.owner} className="max-w-full" />
        </>
      )}
      <span>{reason ? labels(`endReasons.${reason}`) : t('waitEnded')}</span>
    </p>
  );
}
