'use client';

import { ArrowLeft, SearchX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { FormatLabel, KeyText } from '@/components/labels';
import { useLive, useMoment } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageLink } from '@/components/ui/page-link';
import { fromBase64Url, printable } from '@/lib/protocol/bytes';
import type { PastLockMoment } from '@/lib/protocol/past';
import type { LockParams } from '@/lib/protocol/queries';
import { MomentTimelinePanel } from './moment-timeline';
import { PastHolderPanel } from './past-holder';
import { PastNotices } from './past-notices';
import { PastOwners } from './past-owner';
import { PastWaitersPanel } from './past-waiters';
import { Settling } from './settling';

/** One lock as it was at the moment in the address: who held it, who waited, and what was before and after. */
export function PastLockView({ address }: { address: LockParams }) {
  const { at } = useMoment();
  return at === null ? null : <LockAt address={address} at={at} />;
}

function LockAt({ address, at }: { address: LockParams; at: number }) {
  const answer = useLive('past-lock', { ...address, at });
  return (
    <PageBody>
      <Header address={address} at={at} lock={answer.data?.lock ?? null} />
      <Settling isBusy={answer.state === 'loading'}>
        <LiveData snapshot={answer}>
          {(data) => <Moment data={data} asked={at} answeredAt={answer.at ?? data.at} />}
        </LiveData>
      </Settling>
    </PageBody>
  );
}

interface MomentProps {
  data: PastLockMoment;
  asked: number;
  /** When the answer was given: until then lasts what has not ended. */
  answeredAt: number;
}

function Moment({ data, asked, answeredAt }: MomentProps) {
  const t = useTranslations('past');
  const { goTo } = useMoment();
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <PastNotices asked={asked} moment={data} />
      {data.lock === null ? (
        <EmptyState icon={<SearchX size={24} aria-hidden />} title={t('lockUnknown')}>
          {t('lockUnknownText')}
        </EmptyState>
      ) : (
        <PastOwners places={data.places}>
          <div className="grid min-w-0 items-start gap-3 lg:grid-cols-2">
            <PastHolderPanel data={data} />
            <PastWaitersPanel lock={data.lock} at={data.at} />
          </div>
          <MomentTimelinePanel holds={data.around} at={data.at} now={answeredAt} onMoment={goTo} />
        </PastOwners>
      )}
    </div>
  );
}

function Header(props: { address: LockParams; at: number; lock: PastLockMoment['lock'] }) {
  const t = useTranslations('lock');
  const past = useTranslations('past');
  const { address, at, lock } = props;
  const key = printable(fromBase64Url(address.keyB64) ?? '');
  return (
    <header className="flex min-w-0 flex-col gap-2">
      <PageLink
        href={`/locks?at=${at}`}
        className="inline-flex items-center gap-1 self-start text-xs text-ink-2 hover:text-ink"
      >
        <ArrowLeft size={12} aria-hidden /> {past('backToList')}
      </PageLink>
      <h1 tabIndex={-1} className="min-w-0 text-lg font-semibold tracking-tight">
        <KeyText text={key} full={key.length <= 160} />
      </h1>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        {lock && <FormatLabel format={lock.format} />}
        {lock && <KeyText text={lock.class} />}
        {lock?.namespace && <KeyText text={lock.namespace} />}
        <span className="text-ink-3">{t('db', { db: address.db })}</span>
        <bdi className="font-mono text-xs text-ink-3">{address.target}</bdi>
      </div>
    </header>
  );
}
