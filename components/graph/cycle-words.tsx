'use client';

import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { Countdown, Elapsed, KeyText, lockHref } from '@/components/labels';
import { buttonClass } from '@/components/ui/button';

interface Props {
  deadlock: Deadlock;
  victim: number | null;
  /** The moment of the past that is shown, epoch ms: links lead to it, and nothing is said of what would come. */
  at?: number | undefined;
}

/** The circle in words: one numbered line per wait, in the numbers of the drawing. */
export function CycleWords({ deadlock, victim, at }: Props) {
  const t = useTranslations('deadlocks');
  const isOver = at === undefined && deadlock.state === 'resolved';
  return (
    <ol className="flex min-w-0 flex-col">
      {deadlock.cycle.map((wait, index) => (
        <li
          key={`${wait.owner} ${wait.waitsFor.db}:${wait.waitsFor.keyB64}`}
          className="flex min-w-0 items-start gap-2.5 border-b border-line py-2 first:pt-0 last:border-0 last:pb-0"
        >
          <span
            aria-hidden
            className="mt-0.5 inline-flex size-[1.125rem] shrink-0 items-center justify-center rounded-full border border-critical text-2xs font-semibold text-critical"
          >
            {index + 1}
          </span>
          <div className="min-w-0 flex-1 text-sm">
            <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
              <Owner id={wait.owner} app={wait.ownerApp} isWaiter />
              <span className="text-ink-3">{t('waitsFor')}</span>
              <KeyText text={wait.waitsFor.key} className="max-w-full" />
              <span className="text-ink-3">{t('heldBy')}</span>
              <Owner id={wait.heldBy} app={wait.heldByApp} />
            </p>
            {!isOver && (
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-ink-3">
                {wait.waitingSince !== null && (
                  <span>
                    {t('waiting')} <Elapsed since={wait.waitingSince} />
                  </span>
                )}
                {at === undefined && <LeaseText deadline={wait.deadline} renewed={wait.renewed} />}
                {victim === index && <span className="text-warning">{t('victim')}</span>}
              </p>
            )}
          </div>
          <PageLink
            href={lockHref({ target: deadlock.target, ...wait.waitsFor }, at)}
            className={buttonClass()}
            aria-label={`${t('openLock')} ${wait.waitsFor.key.slice(0, 200)}`}
          >
            {t('openLock')}
          </PageLink>
        </li>
      ))}
    </ol>
  );
}

/** The service where it is known, and the whole id. */
function Owner({
  id,
  app,
  isWaiter,
}: {
  id: string;
  app?: string | undefined;
  isWaiter?: boolean;
}) {
  const weight = isWaiter ? 'font-medium' : '';
  if (app === undefined) return <KeyText text={id} className={`max-w-full ${weight}`} />;
  return (
    <>
      <bdi className={weight}>{app}</bdi>
      <KeyText text={id} className="max-w-full text-ink-3" />
    </>
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
