'use client';

import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import {
  ClockTime,
  Elapsed,
  EvidenceMark,
  NoOwner,
  TimeAgo,
  useDurationText,
  useSaid,
} from '@/components/labels';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { FilterLink } from './filter-link';
import { LongText } from './long-text';
import type { KeyValueItem } from '@/components/ui/key-value';
import type { Hold, Liveness, LockDetail } from '@/lib/protocol/lock';

type FactId =
  | 'id'
  | 'app'
  | 'host'
  | 'ip'
  | 'pid'
  | 'instance'
  | 'thread'
  | 'connection'
  | 'howWeKnow'
  | 'since'
  | 'tokenTime'
  | 'age'
  | 'renewals'
  | 'depth'
  | 'fence'
  | 'businessId'
  | 'finished'
  | 'notes';

interface Fact extends KeyValueItem {
  id: FactId;
}

/**
 * What is known of the present hold, as pairs; what the format does not tell is left out. With `only`, no
 * more than these.
 */
export function useHolderFacts(lock: LockDetail, only?: readonly FactId[]): KeyValueItem[] {
  const t = useTranslations('lock.holder');
  const labels = useTranslations('labels');
  const renewals = useRenewals();
  const say = useSaid();
  const { hold } = lock;
  if (!hold) return [];
  const { owner } = hold;
  const mono = (text: string | null): ReactNode => text && <LongText text={text} />;
  const place = (name: string | null): ReactNode =>
    name && <FilterLink filter={{ owner: name }} text={name} title={t('allOf', { name })} />;
  const facts: Fact[] = [
    { id: 'id', label: t('id'), value: <Token id={owner.id} /> },
    { id: 'app', label: t('app'), value: place(owner.app) },
    { id: 'host', label: t('host'), value: place(owner.host) },
    { id: 'ip', label: t('ip'), value: place(owner.ip) },
    { id: 'pid', label: t('pid'), value: owner.pid },
    { id: 'instance', label: t('instance'), value: place(owner.instance) },
    { id: 'thread', label: t('thread'), value: mono(owner.thread) },
    {
      id: 'connection',
      label: t('connection'),
      value: <Connection liveness={owner.liveness} />,
    },
    { id: 'howWeKnow', label: t('howWeKnow'), value: say(lock.sentences?.why, lock.library.why) },
    {
      id: 'since',
      label: t('since'),
      value: (
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <ClockTime at={hold.since} />
          <EvidenceMark evidence={hold.sinceEvidence} named />
        </span>
      ),
    },
    {
      id: 'tokenTime',
      label: t(hold.tokenTime?.means === 'taken' ? 'tokenTaken' : 'tokenAsked'),
      value: hold.tokenTime && <ClockTime at={hold.tokenTime.at} />,
    },
    { id: 'age', label: t('age'), value: <Elapsed since={hold.since} /> },
    { id: 'renewals', label: t('renewals'), value: renewals(hold) },
    { id: 'depth', label: t('depth'), value: depthText(hold, t) },
    { id: 'fence', label: t('fence'), value: mono(hold.fence) },
    { id: 'businessId', label: t('businessId'), value: mono(hold.businessId) },
    {
      id: 'finished',
      label: t('finished'),
      value: hold.finishedAt !== null && <TimeAgo at={hold.finishedAt} />,
    },
    {
      id: 'notes',
      label: t('notes'),
      value: hold.notes.map((note) => labels(`notes.${note}`)).join(' '),
    },
  ];
  return facts.filter(
    ({ id, value }) =>
      (only?.includes(id) ?? true) &&
      value !== null &&
      value !== undefined &&
      value !== '' &&
      value !== false,
  );
}

/** Whether somebody is behind the hold, and by what that is known. */
function Connection({ liveness }: { liveness: Liveness }) {
  const t = useTranslations('labels');
  const isKnown = liveness !== 'unknown';
  return (
    <span title={isKnown ? undefined : t(`livenessMeanings.${liveness}`)}>
      <span className={clsx(liveness === 'not-seen' && 'text-warning')}>
        {t(`liveness.${liveness}`)}
      </span>
      {isKnown && (
        <span className="block text-xs text-ink-3">{t(`livenessMeanings.${liveness}`)}</span>
      )}
    </span>
  );
}

function Token({ id }: { id: string }) {
  const t = useTranslations('labels');
  if (id === '') return t('ownerUnknown');
  return id === NO_OWNER_ID ? <NoOwner /> : <LongText text={id} />;
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
