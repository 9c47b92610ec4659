'use client';

import { Waypoints } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useLive, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { memberOf } from '@/lib/protocol/closed-sets';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { DeadlockFile } from '@/lib/protocol/deadlock-file';
import { DeadlockCard } from './deadlock-card';
import { OpenFile } from './files/open-file';
import { OpenedFile } from './files/opened-file';

const TABS = ['now', 'past'] as const;
type Tab = (typeof TABS)[number];

const IS_OF: Record<Tab, (deadlock: Deadlock) => boolean> = {
  now: ({ state }) => state === 'confirmed',
  past: ({ state }) => state === 'resolved',
};

/** Owners that wait for each other: the present circles, and those that are over. */
export function DeadlockBoard() {
  const t = useTranslations('deadlocks');
  const url = useUrlParams();
  const answer = useLive('deadlocks', {});
  const [file, setFile] = useState<DeadlockFile | null>(null);
  const marked = url.get('deadlock');
  const isMarkedOver = answer.data?.some(({ id, state }) => id === marked && state === 'resolved');
  const tab = memberOf(TABS, url.get('show')) ?? (isMarkedOver ? 'past' : 'now');
  const count = (of: Tab) => answer.data?.filter(IS_OF[of]).length;
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
        onChange={(show) => url.set({ show: show === 'now' ? null : show, deadlock: null })}
        className="mb-3"
      />
      <LiveData snapshot={answer} ofRedis={tab === 'now'}>
        {(items) => (
          <Cards deadlocks={items.filter(IS_OF[tab])} marked={marked} none={<None tab={tab} />} />
        )}
      </LiveData>
    </PageBody>
  );
}

interface CardsProps {
  deadlocks: readonly Deadlock[];
  marked: string | null;
  /** What stands there when there are none. */
  none: ReactNode;
}

function Cards({ deadlocks, marked, none }: CardsProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {deadlocks.length === 0 && none}
      {deadlocks.map((each) => (
        <DeadlockCard
          key={`${each.id} ${each.since}`}
          deadlock={each}
          marked={each.id === marked}
        />
      ))}
    </div>
  );
}

function None({ tab }: { tab: Tab }) {
  const t = useTranslations('deadlocks');
  const state = (
    <EmptyState icon={<Waypoints size={22} aria-hidden />} title={t(`noneOf.${tab}`)}>
      {t('noneText')}
    </EmptyState>
  );
  return (
    <div className="rounded-lg border border-line bg-surface">
      {tab === 'now' ? <WhenSeen>{state}</WhenSeen> : state}
    </div>
  );
}
