'use client';

import { useTranslations } from 'use-intl';
import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import type { LockDetail } from '@/lib/protocol/lock';
import { FreesItself } from './frees-itself';
import { useHolderFacts } from './holder-facts';
import { KeyToDelete } from './key-to-delete';
import { LastEnd } from './last-end';
import { LatchPanel } from './latch-panel';
import { MembersTable } from './members-table';
import { PermitsPanel } from './permits-panel';
import { ReadWritePanel } from './read-write-panel';
import { useWhy } from './why-line';

/** Who holds the lock, by what kind of lock it is. */
export function HolderPanel({ lock }: { lock: LockDetail }) {
  if (lock.kind === 'semaphore') return <PermitsPanel lock={lock} />;
  if (lock.kind === 'read-write') return <ReadWritePanel lock={lock} />;
  return lock.kind === 'latch' ? <LatchPanel lock={lock} /> : <OneHolder lock={lock} />;
}

/** Who holds the lock, how that is known, and when it ends by itself. */
function OneHolder({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.holder');
  const facts = useHolderFacts(lock);
  const why = useWhy(lock);
  return (
    <Panel title={t('title')} description={why} flush>
      {lock.hold ? (
        <div className="flex flex-col gap-3 p-3">
          <FreesItself hold={lock.hold} state={lock.state} />
          <KeyToDelete lock={lock} />
          <KeyValue items={facts} />
        </div>
      ) : (
        <div className="flex flex-col gap-1.5 p-3 text-sm">
          <p>{t('nobody')}</p>
          <LastEnd lock={lock} />
        </div>
      )}
      {lock.members.length > 0 && (
        <div className="border-t border-line">
          <MembersTable
            lock={lock}
            members={lock.members}
            caption={t('members')}
            withoutDeadline="with-the-lock"
          />
        </div>
      )}
    </Panel>
  );
}
