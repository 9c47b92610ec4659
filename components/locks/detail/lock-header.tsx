'use client';

import { ArrowLeft } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { FormatLabel, isRareState, KeyText, StateBadge } from '@/components/labels';
import { CopyButton } from '@/components/ui/copy-button';
import type { LockDetail } from '@/lib/protocol/lock';
import { FilterLink } from './filter-link';

/** Above this many characters a key is folded until somebody asks for all of it. */
const LONG_KEY = 160;

interface Props {
  lock: LockDetail;
  actions: ReactNode;
}

export function LockHeader({ lock, actions }: Props) {
  const t = useTranslations('lock');
  const ui = useTranslations('ui');
  const [isWhole, setIsWhole] = useState(lock.key.length <= LONG_KEY);
  return (
    <header className="flex flex-col gap-2">
      <PageLink
        href="/locks"
        className="inline-flex items-center gap-1 self-start text-xs text-ink-2 hover:text-ink"
      >
        <ArrowLeft size={12} aria-hidden /> {t('back')}
      </PageLink>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-80 flex-col gap-2">
          <div className="flex min-w-0 items-start gap-1.5">
            <h1 tabIndex={-1} className="min-w-0 text-lg font-semibold tracking-tight">
              <KeyText text={lock.key} full={isWhole} />
            </h1>
            <CopyButton
              text={lock.key}
              label={t('copyKey')}
              copiedLabel={ui('copied')}
              failedLabel={ui('copyFailed')}
            />
          </div>
          {lock.key.length > LONG_KEY && (
            <button
              type="button"
              aria-expanded={isWhole}
              onClick={() => setIsWhole(!isWhole)}
              className="self-start text-xs text-accent-ink hover:underline"
            >
              {isWhole ? t('hideKey') : t('showKey')} (
              {t('bytes', { count: Math.floor((lock.keyB64.length * 3) / 4) })})
            </button>
          )}
          <Marks lock={lock} />
        </div>
        {actions}
      </div>
    </header>
  );
}

/** In what state it is, of which library, and where it belongs. */
function Marks({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock');
  const labels = useTranslations('labels');
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
      <StateBadge state={lock.state} />
      {isRareState(lock.state) && <span aria-hidden>{labels(`stateMeanings.${lock.state}`)}</span>}
      <FormatLabel format={lock.format} certain={lock.formatCertain} others={lock.otherFormats} />
      <FilterLink filter={{ class: lock.class }} text={lock.class} />
      {lock.namespace && (
        <FilterLink filter={{ namespace: lock.namespace }} text={lock.namespace} />
      )}
      <span className="text-ink-3">{t('db', { db: lock.db })}</span>
      <PageLink href="/targets" className="text-ink-3 hover:text-ink hover:underline">
        <bdi className="font-mono text-xs">{lock.target}</bdi>
      </PageLink>
    </div>
  );
}
