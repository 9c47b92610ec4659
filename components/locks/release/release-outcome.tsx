'use client';

import { useTranslations } from 'use-intl';
import { ErrorText, TimeAgo, useDurationText } from '@/components/labels';
import { Notice } from '@/components/ui/notice';
import type { ReleaseResult } from '@/lib/protocol/actions';
import type { ErrorBody } from '@/lib/protocol/errors';
import { conflictOf } from './conflict';

/** What came of a release: who was woken, and whether the old holder came back. */
export function ReleaseOutcome({ result, wakes }: { result: ReleaseResult; wakes: boolean }) {
  const t = useTranslations('release.done');
  const duration = useDurationText();
  const watched = duration(result.watchedForMs);
  const wokenText = (count: number | null): string =>
    count === null ? t('wakeUncounted') : t('wokeWaiters', { count });
  return (
    <div className="flex flex-col gap-3">
      <Notice
        tone={result.cameBack ? 'warning' : 'ok'}
        polite
        title={result.cameBack ? t('cameBackTitle') : t('text')}
      >
        <p>{wakes ? wokenText(result.wokeWaiters) : t('wakesNobody')}</p>
        <p>{t(whatFollowed(result), { watched })}</p>
        {result.holderNoticed && <p>{t(`noticed.${result.holderNoticed}`)}</p>}
      </Notice>
      <p className="text-sm text-ink-2">{t('cannotTellElse')}</p>
    </div>
  );
}

function whatFollowed({ cameBack, takenByNext }: ReleaseResult) {
  if (cameBack) return 'cameBack';
  return takenByNext ? 'takenByNext' : 'stayedAway';
}

interface FailureProps {
  error: ErrorBody['error'];
  /** The holder that the operator meant. */
  shown: string | undefined;
}

/** Why nothing was released; a changed holder is named. */
export function ReleaseFailure({ error, shown }: FailureProps) {
  const t = useTranslations('release');
  if (error.code !== 'CONFLICT') {
    return (
      <Notice tone="critical" role="alert">
        <ErrorText error={error} />
      </Notice>
    );
  }
  const conflict = conflictOf(error);
  const isSameOwner = conflict !== null && conflict.holder !== null && conflict.holder === shown;
  return (
    <Notice
      tone="critical"
      role="alert"
      title={t(isSameOwner ? 'conflict.sameTitle' : 'conflict.title')}
    >
      <p>
        {conflict === null
          ? t('conflict.nowUnknown')
          : conflict.holder === null
            ? t('conflict.gone')
            : t.rich(isSameOwner ? 'conflict.same' : 'conflict.now', {
                owner: () => <bdi className="font-mono break-all">{conflict.holder}</bdi>,
                since: () => (conflict.since === null ? '?' : <TimeAgo at={conflict.since} />),
              })}
      </p>
      {shown && !isSameOwner && (
        <p>
          {t.rich('conflict.expected', {
            owner: () => <bdi className="font-mono break-all">{shown}</bdi>,
          })}
        </p>
      )}
      <p>{t('conflict.nothing')}</p>
    </Notice>
  );
}
