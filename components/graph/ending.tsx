'use client';

import { useTranslations } from 'use-intl';
import { Countdown, EvidenceMark, KeyText, lockHref, useDurationText } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import { END_REASONS, memberOf } from '@/lib/protocol/closed-sets';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { firstDeadline, type Victim } from './deadlock-end';
import { OwnerWords } from './owner-words';

/** What ends it: a lease that runs out, or else somebody; which release frees most, and what it costs. */
export function Ending({ deadlock, victim }: { deadlock: Deadlock; victim: Victim | null }) {
  const t = useTranslations('deadlocks');
  const deadline = firstDeadline(deadlock);
  return (
    <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
      {deadline === null ? (
        <span className="font-medium text-critical">
          {t(deadlock.cycle.some((wait) => wait.likelyRenewed) ? 'endsHardly' : 'endsNever')}
        </span>
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

/** By what a circle that is over was broken, where it was seen: a hold that ended, or else a wait. */
export function HowItEnded({ deadlock: { brokenBy, cycle } }: { deadlock: Deadlock }) {
  const t = useTranslations('deadlocks');
  const labels = useTranslations('labels');
  if (!brokenBy) return null;
  const { lock, owner, by, evidence } = brokenBy;
  const reason = memberOf(END_REASONS, brokenBy.reason);
  const key = <KeyText text={lock.key} className="max-w-full" />;
  const who = owner !== null && <OwnerWords id={owner} app={appOf(cycle, owner)} />;
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 border-t border-line px-3 py-2 text-sm text-ink-2">
      {reason ? (
        <>
          {t('brokenBy')}
          {key}
          {who && <span className="text-ink-3">{t('heldBy')}</span>}
          {who}
          <span>{labels(`endReasons.${reason}`)}</span>
          {by != null && <span>{t('brokenByWhom', { actor: by })}</span>}
        </>
      ) : (
        <>
          {t('brokenByWait')}
          {who}
          <span className="text-ink-3">{t('waitedFor')}</span>
          {key}
        </>
      )}
      {evidence && <EvidenceMark evidence={evidence} named />}
    </p>
  );
}

/** The service of an owner in the circle, where it is known. */
function appOf(cycle: Deadlock['cycle'], id: string): string | undefined {
  for (const { owner, heldBy, ownerApp, heldByApp } of cycle) {
    if (owner === id && ownerApp !== undefined) return ownerApp;
    if (heldBy === id && heldByApp !== undefined) return heldByApp;
  }
  return undefined;
}
