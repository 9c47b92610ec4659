'use client';

import { useTranslations } from 'use-intl';
import { useConnection, useLive } from '@/components/hooks';
import { EndReasonLabel, OwnerText } from '@/components/labels';
import { Notice } from '@/components/ui/notice';
import type { LockDetail } from '@/lib/protocol/lock';
import { CLOCK_SLACK_MS, verdictOn, type SentRelease, type Verdict } from './unknown-outcome';

interface Props {
  sent: SentRelease;
  /** As it is now. */
  lock: LockDetail;
}

const TONE = {
  released: 'ok',
  refused: 'critical',
  'under-way': 'warning',
  'no-trace': 'warning',
} as const;

/** What the audit says of a release whose answer was lost; null until it can be asked. */
function useVerdict({ sent, lock }: Props): Verdict | null {
  const connection = useConnection();
  const from = Math.max(0, Math.floor(sent.at) - CLOCK_SLACK_MS);
  const { data, state } = useLive('audit', { key: lock.key, from, limit: 100 });
  if (connection !== 'connected' || state !== 'live' || !data) return null;
  return verdictOn(sent, data.items);
}

export function UnknownTitle(props: Props) {
  const t = useTranslations('release');
  const verdict = useVerdict(props);
  if (verdict === 'released') return t('done.title');
  const isOver = verdict === 'refused' || verdict === 'no-trace';
  return t(isOver ? 'failedTitle' : 'unknown.title');
}

/** That nothing is known yet, and what the audit says as soon as it can be asked. */
export function ReleaseUnknown(props: Props) {
  const t = useTranslations('release.unknown');
  const verdict = useVerdict(props);
  if (verdict === null) {
    return (
      <Notice tone="warning" role="alert" title={t('lost')}>
        {t('todo')}
      </Notice>
    );
  }
  return (
    <Notice tone={TONE[verdict]} polite title={t(`verdicts.${verdict}`)}>
      <p>{t(`meanings.${verdict}`)}</p>
      <StateNow lock={props.lock} />
    </Notice>
  );
}

function StateNow({ lock: { hold, lastEnd } }: { lock: LockDetail }) {
  const t = useTranslations('release.unknown');
  return (
    <p className="mt-1 flex min-w-0 flex-wrap items-center gap-1.5">
      {hold ? t.rich('heldNow', { owner: () => <OwnerText owner={hold.owner} /> }) : t('freeNow')}
      {!hold && lastEnd && <EndReasonLabel reason={lastEnd.reason} />}
    </p>
  );
}
