'use client';

import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { Countdown, Elapsed, EvidenceMark, KeyText, lockHref } from '@/components/labels';
import { buttonClass } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import type { Deadlock, DeadlockEdge } from '@/lib/protocol/deadlock';
import { isSameLock, type Victim } from './deadlock-end';
import { OwnerWords } from './owner-words';
import { numberedWaits, type NumberedWait } from './wait-order';

interface Props {
  deadlock: Deadlock;
  victim: Victim | null;
  /** The moment of the past that is shown, epoch ms: links lead to it, and nothing is said of what would come. */
  at?: number | undefined;
  /** What it shows is of a file: nothing to open, nothing that counts. */
  isStill?: boolean;
}

/** The picture in words: one line per wait, in the numbers of the drawing. */
export function GraphWords({ deadlock, victim, at, isStill = false }: Props) {
  const t = useTranslations('deadlocks');
  const isOver = isStill || (at === undefined && deadlock.state === 'resolved');
  return (
    <ol className="flex min-w-0 flex-col">
      {numberedWaits(deadlock.cycle).map((wait) => {
        const [edge] = wait.edges;
        return (
          <li
            key={wait.number}
            className="flex min-w-0 items-start gap-2.5 border-b border-line py-2 first:pt-0 last:border-0 last:pb-0"
          >
            <span
              aria-hidden
              className="mt-0.5 inline-flex size-[1.125rem] shrink-0 items-center justify-center rounded-full border border-critical text-2xs font-semibold text-critical"
            >
              {wait.number}
            </span>
            <div className="min-w-0 flex-1 text-sm">
              <WaitLine wait={wait} />
              {!isOver && (
                <Facts
                  edge={edge}
                  evidence={edge.evidence ?? deadlock.evidence}
                  isVictim={isSameLock(edge.waitsFor, victim?.lock)}
                  isPast={at !== undefined}
                />
              )}
            </div>
            {!isStill && (
              <PageLink
                href={lockHref({ target: deadlock.target, ...edge.waitsFor }, at)}
                className={buttonClass()}
                aria-label={`${t('openLock')} ${edge.waitsFor.key.slice(0, 200)}`}
              >
                {t('openLock')}
              </PageLink>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function WaitLine({ wait: { edges } }: { wait: NumberedWait }) {
  const t = useTranslations('deadlocks');
  const [edge] = edges;
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
      <OwnerWords id={edge.owner} app={edge.ownerApp} isWaiter />
      <span className="text-ink-3">{t('waitsFor')}</span>
      <KeyText text={edge.waitsFor.key} className="max-w-full" />
      <span className="text-ink-3">
        {t(edges.length > 1 && edge.needs === 'or' ? 'heldByAny' : 'heldBy')}
      </span>
      {edges.map(({ heldBy, heldByApp }, index) => (
        <Fragment key={heldBy}>
          {index > 0 && <span className="text-ink-3">{t('and')}</span>}
          <OwnerWords id={heldBy} app={heldByApp} />
        </Fragment>
      ))}
    </p>
  );
}

interface FactsProps {
  edge: DeadlockEdge;
  evidence: Deadlock['evidence'];
  isVictim: boolean;
  isPast: boolean;
}

function Facts({ edge, evidence, isVictim, isPast }: FactsProps) {
  const t = useTranslations('deadlocks');
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-ink-3">
      {edge.waitingSince !== null && (
        <span>
          {t('waiting')} <Elapsed since={edge.waitingSince} />
        </span>
      )}
      {!isPast && <LeaseText deadline={edge.deadline} renewed={edge.renewed} />}
      {edge.source && <span>{t(`sources.${edge.source}`)}</span>}
      <EvidenceMark evidence={evidence} />
      {isVictim && <span className="text-warning">{t('victim')}</span>}
    </p>
  );
}

function LeaseText({ deadline, renewed }: { deadline: number | null; renewed: boolean }) {
  const t = useTranslations('deadlocks');
  if (renewed) return <span className="text-critical">{t('renewed')}</span>;
  if (deadline === null) return <span className="text-critical">{t('noDeadline')}</span>;
  return (
    <span>
      {t('frees')} <Countdown deadline={deadline} />
    </span>
  );
}
