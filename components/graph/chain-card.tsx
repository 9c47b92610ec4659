'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Countdown, Elapsed, EvidenceMark, KeyText, lockHref } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { PageLink } from '@/components/ui/page-link';
import type { WaitChain } from '@/lib/protocol/deadlock';
import { chainRows, type ChainRow } from './chain-rows';
import { OwnerWords } from './owner-words';

const SHOWN = 50;

/** A tree of waits: the root that holds everybody up, and below it who waits for whom. */
export function ChainCard({ chain, target }: { chain: WaitChain; target: string }) {
  const t = useTranslations('deadlocks');
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(SHOWN);
  const rows = chainRows(chain, closed);
  const toggle = (index: number): void => {
    const next = new Set(closed);
    if (!next.delete(index)) next.add(index);
    setClosed(next);
  };
  const title = t('chainOf', { count: chain.blocked });
  return (
    <section
      aria-label={t('chainLabel', { title, root: rootName(chain) })}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-2">
        <Badge tone="warning">{t('chain')}</Badge>
        <h3 className="text-sm font-semibold">{title}</h3>
        <EvidenceMark evidence={chain.evidence} named />
        <span className="ml-auto text-xs text-ink-3">
          {t('chainDepth', { count: chain.depth })}
          {chain.since !== null && (
            <>
              {' · '}
              {t('longestWaits')} <Elapsed since={chain.since} className="text-ink-2" />
            </>
          )}
        </span>
      </header>
      <Root chain={chain} target={target} />
      <ul className="border-t border-line">
        {rows.slice(0, shown).map((row) => (
          <Row key={row.index} row={row} target={target} onToggle={() => toggle(row.index)} />
        ))}
      </ul>
      {(rows.length > shown || chain.blocked > chain.waits.length) && (
        <p className="flex items-center gap-3 border-t border-line px-3 py-2 text-xs text-ink-3">
          {t('chainShown', { shown: Math.min(shown, rows.length), all: chain.blocked })}
          {rows.length > shown && (
            <Button onClick={() => setShown(shown + SHOWN)}>{t('showMore')}</Button>
          )}
        </p>
      )}
    </section>
  );
}

/** Of one service there may be several: each chain is a landmark of its own. */
const rootName = ({ root, rootApp }: WaitChain): string =>
  [...(rootApp === undefined ? [] : [rootApp]), root].join(' ').slice(0, 200);

function Root({ chain, target }: { chain: WaitChain; target: string }) {
  const t = useTranslations('deadlocks');
  return (
    <div className="px-3 py-2 text-sm">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
        <OwnerWords id={chain.root} app={chain.rootApp} isWaiter />
        <span className="text-ink-3">{t('waitsForNobody')}</span>
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-xs text-ink-3">
        {chain.holds.map(({ since, deadline, renewed, ...lock }) => (
          <li key={`${lock.db}:${lock.keyB64}`} className="flex flex-wrap items-baseline gap-x-2">
            <LockLink target={target} lock={lock} />
            {since !== null && (
              <span>
                {t('heldFor')} <Elapsed since={since} />
              </span>
            )}
            {renewed ? (
              <span>{t('renewed')}</span>
            ) : (
              deadline !== null && (
                <span>
                  {t('frees')} <Countdown deadline={deadline} />
                </span>
              )
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Steps to the right beyond which depth is told by a number alone. */
const DEEPEST = 8;

function Row({ row, target, onToggle }: { row: ChainRow; target: string; onToggle: () => void }) {
  const t = useTranslations('deadlocks');
  const { wait, behind, isOpen } = row;
  return (
    <li
      className="flex min-w-0 items-center gap-1.5 border-b border-line py-1 pr-3 text-sm last:border-0"
      style={{ paddingLeft: `${0.5 + Math.min(wait.depth - 1, DEEPEST) * 1.25}rem` }}
    >
      {behind > 0 ? (
        <IconButton
          label={t(isOpen ? 'closeBranch' : 'openBranch', { owner: wait.owner.slice(0, 100) })}
          aria-expanded={isOpen}
          icon={
            isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />
          }
          onClick={onToggle}
        />
      ) : (
        <span aria-hidden className="size-7 shrink-0" />
      )}
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-1.5">
        {wait.depth > 1 && <span className="sr-only">{t('depth', { depth: wait.depth })}</span>}
        <OwnerWords id={wait.owner} app={wait.ownerApp} isWaiter />
        <span className="text-ink-3">{t('waitsFor')}</span>
        <LockLink target={target} lock={wait.lock} />
        {wait.since !== null && <Elapsed since={wait.since} className="text-xs text-ink-3" />}
        <EvidenceMark evidence={wait.evidence} />
      </p>
      {behind > 0 && (
        <span className="text-xs whitespace-nowrap text-ink-3">
          {t('holdsUp', { count: behind })}
        </span>
      )}
    </li>
  );
}

interface LockLinkProps {
  target: string;
  lock: { db: number; key: string; keyB64: string };
}

function LockLink({ target, lock }: LockLinkProps) {
  return (
    <PageLink
      href={lockHref({ target, ...lock })}
      className="inline-flex max-w-full min-w-0 underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      <KeyText text={lock.key} />
    </PageLink>
  );
}
