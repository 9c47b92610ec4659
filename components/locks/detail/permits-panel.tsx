'use client';

import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { NoOwner, useClockText, useSecondsText } from '@/components/labels';
import { KeyValue } from '@/components/ui/key-value';
import { Meter } from '@/components/ui/meter';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import type { LockDetail, Member } from '@/lib/protocol/lock';
import { useHolderFacts } from './holder-facts';
import {
  firstDeadline,
  gone,
  insidersOf,
  leaking,
  permitNumbers,
} from '@/components/locks/insiders';
import { LastEnd } from './last-end';
import { MembersTable } from './members-table';
import { Numbers } from './numbers';
import { useWhy } from './why-line';

/** What is known of a semaphore's places without being about one holder. */
const SHARED_FACTS = ['howWeKnow', 'fence', 'notes'] as const;

/** A semaphore: how many permits there are, who has them until when, and which may never come back. */
export function PermitsPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.permits');
  const why = useWhy(lock);
  const facts = useHolderFacts(lock, SHARED_FACTS);
  const { live, stale } = insidersOf(lock);
  const numbers = permitNumbers(lock);
  const isNobodyNamed = live.length === 0 && numbers.taken !== 0;
  return (
    <Panel title={t('title')} description={why} flush aside={isNobodyNamed && <NoOwner />}>
      <div className="flex flex-col gap-3 p-3">
        <Numbers
          items={[
            { id: 'total', label: t('total'), value: numbers.total },
            { id: 'taken', label: t('taken'), value: numbers.taken },
            { id: 'free', label: t('free'), value: numbers.free },
          ]}
        />
        <TakenShare {...numbers} />
        {isNobodyNamed ? <p className="text-sm">{t('nobodyNamed')}</p> : <NextFree live={live} />}
        <LeakRisk live={live} />
        <GoneHolders live={live} />
        {facts.length > 0 && <KeyValue items={facts} />}
        {!lock.hold && <LastEnd lock={lock} />}
      </div>
      {live.length > 0 && (
        <div className="border-t border-line">
          <MembersTable
            lock={lock}
            members={live}
            caption={t('holders')}
            header={t('holder')}
            withoutDeadline="leaks"
          />
        </div>
      )}
      {stale.length > 0 && <Stale lock={lock} stale={stale} />}
    </Panel>
  );
}

function TakenShare({ taken, total }: { taken: number | null; total: number | null }) {
  const t = useTranslations('lock.permits');
  if (taken === null || total === null || total <= 0) return null;
  const share = taken / total;
  return <Meter share={share} tone={share >= 1 ? 'warning' : 'accent'} label={t('takenShare')} />;
}

/** When the next permit comes back by itself, in words. */
function NextFree({ live }: { live: readonly Member[] }) {
  const t = useTranslations('lock.permits');
  const now = useNow();
  const seconds = useSecondsText();
  const clock = useClockText();
  const deadline = firstDeadline(live);
  if (live.length === 0) return null;
  if (deadline === null) return <p className="text-base font-medium">{t('neverBack')}</p>;
  if (now === 0) return null;
  return (
    <p className="text-base font-medium">
      {deadline < now
        ? t('nextOverdue')
        : t('nextFree', { left: seconds(deadline - now), time: clock(deadline, now) })}
    </p>
  );
}

function LeakRisk({ live }: { live: readonly Member[] }) {
  const t = useTranslations('lock.permits');
  const count = leaking(live).length;
  if (count === 0) return null;
  return (
    <Notice tone="warning" title={t('leakRisk', { count })}>
      {t('leakRiskWhy')}
    </Notice>
  );
}

function GoneHolders({ live }: { live: readonly Member[] }) {
  const t = useTranslations('lock.permits');
  const count = gone(live).length;
  if (count === 0) return null;
  return <Notice tone="warning">{t('gone', { count })}</Notice>;
}

/** Those who count no more stand apart, so that nobody takes them for holders. */
function Stale({ lock, stale }: { lock: LockDetail; stale: Member[] }) {
  const t = useTranslations('lock.permits');
  return (
    <div className="border-t border-line bg-sunken/50">
      <h3 className="px-3 pt-2.5 text-xs font-medium text-ink-2">
        {t('stale', { count: stale.length })}
      </h3>
      <p className="px-3 text-xs text-ink-3">{t('staleWhy')}</p>
      <MembersTable
        lock={lock}
        members={stale}
        caption={t('staleHolders')}
        header={t('holder')}
        withoutDeadline="leaks"
      />
    </div>
  );
}
