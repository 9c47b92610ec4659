'use client';

import { Waypoints } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLive, useTargetId, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { memberOf } from '@/lib/protocol/closed-sets';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { DeadlockFile } from '@/lib/protocol/deadlock-file';
import { ChainCard } from './chain-card';
import { DeadlockCard } from './deadlock-card';
import { Intend } from './intend';
import { OrdersTable } from './orders-table';
import { PredictedCard } from './predicted-card';
import { OpenFile } from './files/open-file';
import { OpenedFile } from './files/opened-file';

const TABS = ['now', 'predicted', 'orders', 'past'] as const;
type Tab = (typeof TABS)[number];

const TAB_OF: Record<Deadlock['state'], Tab> = {
  confirmed: 'now',
  predicted: 'predicted',
  resolved: 'past',
};

/** Owners that wait for each other, those that might, and those that did. */
export function DeadlockBoard() {
  const t = useTranslations('deadlocks');
  const url = useUrlParams();
  const answer = useLive('deadlocks', {});
  const [file, setFile] = useState<DeadlockFile | null>(null);
  const marked = url.get('deadlock');
  const its = answer.data?.find(({ id }) => id === marked);
  const tab = memberOf(TABS, url.get('show')) ?? (its ? TAB_OF[its.state] : 'now');
  const count = (of: Tab): number | undefined =>
    of === 'orders' ? undefined : answer.data?.filter(({ state }) => TAB_OF[state] === of).length;
  return (
    <PageBody>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={<OpenFile onOpen={setFile} />}
      />
      {file && <OpenedFile file={file} onClose={() => setFile(null)} />}
      <SegmentedControl
        label={t('tabsLabel')}
        value={tab}
        options={TABS.map((value) => ({ value, label: t(`tabs.${value}`), count: count(value) }))}
        onChange={(show) => url.set({ show, deadlock: null })}
        className="mb-3 self-start"
      />
      {tab === 'orders' ? (
        <LearntOrders />
      ) : (
        <LiveData snapshot={answer} ofRedis={tab === 'now'}>
          {(items) => (
            <Cards
              deadlocks={items.filter(({ state }) => TAB_OF[state] === tab)}
              marked={marked}
              tab={tab}
            />
          )}
        </LiveData>
      )}
      {tab === 'now' && <Chains />}
    </PageBody>
  );
}

/** Who is held up without being in a circle; nothing when nobody is. */
function Chains() {
  const t = useTranslations('deadlocks');
  const target = useTargetId();
  const answer = useLive('chains', {});
  return (
    <LiveData snapshot={answer} loading={<span />}>
      {(chains) =>
        target !== null &&
        chains.length > 0 && (
          <div className="mt-5 flex min-w-0 flex-col gap-3">
            <h2 className="text-sm font-semibold text-ink-2">{t('chains')}</h2>
            {chains.map((chain) => (
              <ChainCard key={chain.id} chain={chain} target={target} />
            ))}
          </div>
        )
      }
    </LiveData>
  );
}

function LearntOrders() {
  const answer = useLive('orders', {});
  return <LiveData snapshot={answer}>{(orders) => <OrdersTable orders={orders} />}</LiveData>;
}

interface CardsProps {
  deadlocks: readonly Deadlock[];
  marked: string | null;
  tab: Exclude<Tab, 'orders'>;
}

function Cards({ deadlocks, marked, tab }: CardsProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {deadlocks.length === 0 && <None tab={tab} />}
      {deadlocks.map((each) => {
        const props = { deadlock: each, marked: each.id === marked };
        return tab === 'predicted' ? (
          <PredictedCard key={each.id} {...props} actions={<Intend deadlock={each} />} />
        ) : (
          <DeadlockCard key={`${each.id} ${each.since}`} {...props} />
        );
      })}
    </div>
  );
}

function None({ tab }: { tab: CardsProps['tab'] }) {
  const t = useTranslations('deadlocks');
  const state = (
    <EmptyState icon={<Waypoints size={22} aria-hidden />} title={t(`noneOf.${tab}`)}>
      {t(tab === 'predicted' ? 'predictedNoneText' : 'noneText')}
    </EmptyState>
  );
  return (
    <div className="rounded-lg border border-line bg-surface">
      {tab === 'now' ? <WhenSeen>{state}</WhenSeen> : state}
    </div>
  );
}
