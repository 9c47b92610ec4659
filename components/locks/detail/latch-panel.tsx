'use client';

import { useFormatter, useTranslations } from 'use-intl';
import { NoOwner } from '@/components/labels';
import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import type { LockDetail } from '@/lib/protocol/lock';
import { useHolderFacts } from './holder-facts';
import { LastEnd } from './last-end';
import { useWhy } from './why-line';

const FACTS = ['howWeKnow', 'since', 'age', 'notes'] as const;

/** A latch: how often it is still to be counted down. Who does that is written nowhere. */
export function LatchPanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.latch');
  const format = useFormatter();
  const why = useWhy(lock);
  const facts = useHolderFacts(lock, FACTS);
  const { hold } = lock;
  return (
    <Panel title={t('title')} description={why} aside={hold && <NoOwner />}>
      <div className="flex flex-col gap-3">
        {hold ? (
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-2xl font-semibold tracking-tight">
              {format.number(hold.depth)}
            </span>
            <span className="text-sm text-ink-2">{t('toGo', { count: hold.depth })}</span>
          </p>
        ) : (
          <p className="text-sm">{t('open')}</p>
        )}
        {hold && <p className="text-sm">{t('nobodyNamed')}</p>}
        {facts.length > 0 && <KeyValue items={facts} />}
        {!hold && <LastEnd lock={lock} />}
      </div>
    </Panel>
  );
}
