'use client';

import { useTranslations } from 'use-intl';
import { EndReasonLabel, TimeAgo } from '@/components/labels';
import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import type { LockDetail } from '@/lib/protocol/lock';
import { FreesItself } from './frees-itself';
import { useHolderFacts } from './holder-facts';
import { MembersTable } from './members-table';

/** Who holds the lock, how that is known, and when it ends by itself. */
export function HolderPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.holder');
  const facts = useHolderFacts(lock);
  return (
    <Panel title={t('title')}>
      {lock.hold ? (
        <div className="flex flex-col gap-3">
          <FreesItself hold={lock.hold} state={lock.state} />
          <KeyValue items={facts} />
        </div>
      ) : (
        <Nobody lock={lock} />
      )}
      {lock.members.length > 0 && <MembersTable members={lock.members} />}
    </Panel>
  );
}

function Nobody({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.holder');
  const { lastEnd } = lock;
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p>{t('nobody')}</p>
      {lastEnd && (
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2">
          {t.rich('lastHeld', {
            owner: () => <bdi className="font-mono break-all">{lastEnd.owner ?? '?'}</bdi>,
            reason: () => <EndReasonLabel reason={lastEnd.reason} />,
            ago: () => <TimeAgo at={lastEnd.at} />,
          })}
        </p>
      )}
    </div>
  );
}
