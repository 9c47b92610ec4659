'use client';

import { BookOpen, PenLine } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '@/components/ui/badge';
import { KeyValue } from '@/components/ui/key-value';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import type { LockDetail, Member } from '@/lib/protocol/lock';
import { FreesItself } from './frees-itself';
import { useHolderFacts } from './holder-facts';
import { gone, insidersOf } from '@/components/locks/insiders';
import { LastEnd } from './last-end';
import { MembersTable } from './members-table';
import { useWhy } from './why-line';

/** What is known of a shared hold without being about one reader. */
const SHARED_FACTS = ['howWeKnow', 'since', 'age', 'renewals', 'fence', 'notes'] as const;

/** A read-write lock: the writer, or the readers each with a deadline and a way out, and who keeps whom out. */
export function ReadWritePanel({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.readWrite');
  const why = useWhy(lock);
  const { live, stale, writer } = insidersOf(lock);
  return (
    <Panel title={t('title')} description={why} flush aside={<Mode lock={lock} />}>
      <div className="flex flex-col gap-3 p-3">
        {lock.hold && <FreesItself hold={lock.hold} state={lock.state} />}
        <GoneReaders readers={live} />
        <WriterWaits lock={lock} />
        {lock.hold && (lock.mode === 'write' ? <Writer lock={lock} /> : <Shared lock={lock} />)}
        {!lock.hold && (
          <div className="flex flex-col gap-1.5 text-sm">
            <p>{t('nobody')}</p>
            <LastEnd lock={lock} />
          </div>
        )}
      </div>
      <Inside lock={lock} title={t('writerInside')} members={writer ? [writer] : []} />
      <Inside lock={lock} title={t('readers', { count: live.length })} members={live} />
      <Inside lock={lock} title={t('stale', { count: stale.length })} members={stale} isOver />
    </Panel>
  );
}

function Mode({ lock: { mode } }: { lock: LockDetail }) {
  const t = useTranslations('lock.readWrite');
  if (!mode) return null;
  const Icon = mode === 'read' ? BookOpen : PenLine;
  return (
    <Badge tone="held" title={t(`modeMeanings.${mode}`)} icon={<Icon size={11} aria-hidden />}>
      {t(`modes.${mode}`)}
    </Badge>
  );
}

/** The one writer is described like the holder of any lock. */
function Writer({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.readWrite');
  const facts = useHolderFacts(lock);
  return (
    <section aria-label={t('writer')} className="flex flex-col gap-1.5">
      <h3 className="text-xs font-medium text-ink-2">{t('writer')}</h3>
      <KeyValue items={facts} />
    </section>
  );
}

const Shared = ({ lock }: { lock: LockDetail }) => (
  <KeyValue items={useHolderFacts(lock, SHARED_FACTS)} />
);

function GoneReaders({ readers }: { readers: readonly Member[] }) {
  const t = useTranslations('lock.readWrite');
  const count = gone(readers).length;
  if (count === 0) return null;
  return (
    <Notice tone="warning" title={t('gone', { count })}>
      {t('goneWhy')}
    </Notice>
  );
}

/** Libraries that write a waiting writer beside the lock let no reader in meanwhile. */
function WriterWaits({ lock: { waiting } }: { lock: LockDetail }) {
  const t = useTranslations('lock.readWrite');
  if (waiting.source !== 'beside' || (waiting.count ?? 0) === 0) return null;
  return <Notice title={t('writerWaits')}>{t('writerWaitsWhy')}</Notice>;
}

interface InsideProps {
  lock: LockDetail;
  title: string;
  members: Member[];
  /** Past their time. */
  isOver?: boolean;
}

function Inside({ lock, title, members, isOver = false }: InsideProps) {
  if (members.length === 0) return null;
  return (
    <div className={isOver ? 'border-t border-line bg-sunken/50' : 'border-t border-line'}>
      <MembersTable lock={lock} members={members} caption={title} withoutDeadline="with-the-lock" />
    </div>
  );
}
