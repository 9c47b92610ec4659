'use client';

import { useTranslations } from 'use-intl';
import { EvidenceMark, WaitingText } from '@/components/labels';
import { PageLink } from '@/components/ui/page-link';
import { Panel } from '@/components/ui/panel';
import type { LockDetail, Waiting } from '@/lib/protocol/lock';
import { isOnlyDeclared } from './only-declared';
import { QueueOrder } from './queue-order';
import { SampledAttempts } from './sampled-attempts';
import { WaitHints } from './wait-hints';
import { WaitersTable } from './waiters-table';
import { Wake } from './wake';

/** Who waits, in order where there is one; what points to somebody; or why nothing can be seen. */
export function WaitersPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.waiters');
  const why = useTranslations('labels.waitingWhy');
  const { waiting } = lock;
  const isOfNoLibrary = waiting.source === 'poll' && isOnlyDeclared(lock);
  return (
    <Panel title={t('title')} flush actions={<EvidenceMark evidence={waiting.evidence} named />}>
      <div className="flex flex-col gap-2.5 px-3 py-2.5 text-sm">
        <div>
          <HowMany lock={lock} />
          <p className="text-xs text-ink-3">
            {isOfNoLibrary ? t('unknownLibrary') : why(waiting.source)}{' '}
            {waiting.source !== 'never-waits' && <Cost />}
          </p>
        </div>
        <WaitHints hints={waiting.hints ?? []} />
        <SampledAttempts lock={lock} />
        <QueueOrder lock={lock} />
        <Wake lock={lock} />
      </div>
      <WaitersTable lock={lock} />
    </Panel>
  );
}

function HowMany({ lock: { waiting } }: { lock: LockDetail }) {
  const t = useTranslations('lock.waiters');
  if (waiting.count === 0) return <p>{t('nobody')}</p>;
  if (waiting.count !== null) return <WaitingText waiting={waiting} />;
  return <p className="font-medium">{t(uncountedTitle(waiting))}</p>;
}

/** What points to a waiter is more than nothing and less than a number. */
function uncountedTitle({ source, evidence }: Waiting) {
  const isHinted = evidence === 'inferred';
  if (source === 'blocked-clients') return isHinted ? 'perhapsTitle' : 'notObservableTitle';
  if (isHinted) return 'likelyTitle';
  return source === 'poll' ? 'notObservableTitle' : 'notKnownTitle';
}

function Cost() {
  const t = useTranslations('lock.waiters');
  return (
    <PageLink href="/targets" className="text-accent-ink underline underline-offset-2">
      {t('cost')}
    </PageLink>
  );
}
