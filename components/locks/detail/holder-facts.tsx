'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import {
  ClockTime,
  Elapsed,
  EvidenceMark,
  TimeAgo,
  useDurationText,
  useSaid,
} from '@/components/labels';
import { LongText } from './long-text';
import type { KeyValueItem } from '@/components/ui/key-value';
import type { Hold, LockDetail } from '@/lib/protocol/lock';

/** What is known of the present hold, as pairs; what the format does not tell is left out. */
export function useHolderFacts(lock: LockDetail): KeyValueItem[] {
  const t = useTranslations('lock.holder');
  const labels = useTranslations('labels');
  const renewals = useRenewals();
  const say = useSaid();
  const { hold } = lock;
  if (!hold) return [];
  const { owner } = hold;
  const mono = (text: string | null): ReactNode => text && <LongText text={text} />;
  const facts: KeyValueItem[] = [
    {
      label: t('id'),
      value: owner.id === '' ? labels('ownerUnknown') : mono(owner.id),
    },
    { label: t('app'), value: owner.app },
    { label: t('host'), value: owner.host },
    { label: t('ip'), value: mono(owner.ip) },
    { label: t('pid'), value: owner.pid },
    { label: t('instance'), value: mono(owner.instance) },
    { label: t('thread'), value: mono(owner.thread) },
    {
      label: t('connection'),
      value: (
        <span title={labels(`livenessMeanings.${owner.liveness}`)}>
          {labels(`liveness.${owner.liveness}`)}
        </span>
      ),
    },
    { label: t('howWeKnow'), value: say(lock.sentences?.why, lock.library.why) },
    {
      label: t('since'),
      value: (
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <ClockTime at={hold.since} />
          <EvidenceMark evidence={hold.sinceEvidence} named />
        </span>
      ),
    },
    {
      label: t(hold.tokenTime?.means === 'taken' ? 'tokenTaken' : 'tokenAsked'),
      value: hold.tokenTime && <ClockTime at={hold.tokenTime.at} />,
    },
    { label: t('age'), value: <Elapsed since={hold.since} /> },
    { label: t('renewals'), value: renewals(hold) },
    { label: t('depth'), value: depthText(hold, t) },
    { label: t('fence'), value: mono(hold.fence) },
    { label: t('businessId'), value: mono(hold.businessId) },
    { label: t('finished'), value: hold.finishedAt !== null && <TimeAgo at={hold.finishedAt} /> },
    { label: t('notes'), value: hold.notes.map((note) => labels(`notes.${note}`)).join(' ') },
  ];
  return facts.filter(
    ({ value }) => value !== null && value !== undefined && value !== '' && value !== false,
  );
}

function depthText(
  hold: Hold,
  t: (key: 'depthOf', values: { depth: number; max: number }) => string,
): ReactNode {
  if (hold.maxDepth <= 1) return null;
  return t('depthOf', { depth: hold.depth, max: hold.maxDepth });
}

function useRenewals(): (hold: Hold) => ReactNode {
  const t = useTranslations('lock.holder');
  const duration = useDurationText();
  return ({ renewals, renewalIntervalMs, lastRenewalAt }) => {
    if (renewals === 0 || lastRenewalAt === null) return t('noRenewals');
    const ago = () => <TimeAgo at={lastRenewalAt} />;
    if (renewalIntervalMs === null) return t.rich('renewalsLast', { count: renewals, ago });
    return t.rich('renewalsWith', {
      count: renewals,
      interval: duration(renewalIntervalMs),
      ago,
    });
  };
}
