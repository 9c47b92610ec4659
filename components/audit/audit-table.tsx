'use client';

import { ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AuditEntry, AuditOutcome } from '@/lib/protocol/audit';
import { ClockTime, KeyText } from '@/components/labels';
import { Badge, type Tone } from '@/components/ui/badge';
import { CopyButton } from '@/components/ui/copy-button';
import { AuditDetails } from './audit-details';

const OUTCOME_TONE: Record<AuditOutcome, Tone> = {
  requested: 'neutral',
  done: 'ok',
  refused: 'warning',
  failed: 'critical',
};

const HASH_CHARACTERS = 8;

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const t = useTranslations('audit');
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (seq: number) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  return (
    <section
      aria-label={t('caption')}
      className="@container overflow-x-auto rounded-lg border border-line bg-surface"
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{t('caption')}</caption>
        <thead>
          <tr className="h-8 border-b border-line text-left text-xs font-medium text-ink-3">
            <th className="w-7" aria-hidden />
            <Head>{t('columns.at')}</Head>
            <Head wideOnly>{t('columns.actor')}</Head>
            <Head>{t('columns.action')}</Head>
            <Head>{t('columns.key')}</Head>
            <Head>{t('columns.outcome')}</Head>
            <Head wideOnly>{t('columns.reason')}</Head>
            <Head wideOnly>{t('columns.hash')}</Head>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Fragment key={entry.seq}>
              <EntryRow
                entry={entry}
                isOpen={open.has(entry.seq)}
                onToggle={() => toggle(entry.seq)}
              />
              {open.has(entry.seq) && (
                <tr className="border-b border-line bg-sunken">
                  <td colSpan={8} className="p-3">
                    {/* As wide as what can be seen, while the table may scroll. */}
                    <div className="sticky left-3 w-[calc(100cqw-1.5rem)]">
                      <AuditDetails entry={entry} />
                    </div>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head({ children, wideOnly = false }: { children: string; wideOnly?: boolean }) {
  return (
    <th
      scope="col"
      className={`px-2.5 font-medium whitespace-nowrap ${wideOnly ? 'max-lg:hidden' : ''}`}
    >
      {children}
    </th>
  );
}

interface RowProps {
  entry: AuditEntry;
  isOpen: boolean;
  onToggle: () => void;
}

function EntryRow({ entry, isOpen, onToggle }: RowProps) {
  const t = useTranslations('audit');
  const ui = useTranslations('ui');
  const { seq, key, keyB64, target, db } = entry;
  const lock =
    keyB64 !== null && target !== null && db !== null ? { target, db, keyB64 } : undefined;
  return (
    <tr className="border-b border-line last:border-0 hover:bg-sunken/60">
      <td className="pl-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={t('details', { seq })}
          onClick={onToggle}
          className="row-focus inline-flex size-6 items-center justify-center rounded text-ink-3 hover:text-ink"
        >
          <ChevronRight size={14} aria-hidden className={isOpen ? 'rotate-90' : undefined} />
        </button>
      </td>
      <td className="px-2.5 py-1.5">
        <ClockTime at={entry.at} />
      </td>
      <td className="max-w-44 truncate px-2.5 max-lg:hidden" title={entry.actor}>
        {entry.actor}
      </td>
      <td className="px-2.5 font-mono text-xs whitespace-nowrap">{entry.action}</td>
      <td className="max-w-32 px-2.5 sm:max-w-72">
        {key === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <KeyText text={key} {...(lock && { lock })} />
        )}
      </td>
      <td className="px-2.5">
        <Badge tone={OUTCOME_TONE[entry.outcome]}>{t(`outcomes.${entry.outcome}`)}</Badge>
      </td>
      <td
        className="max-w-72 truncate px-2.5 text-ink-2 max-lg:hidden"
        title={entry.reason ?? undefined}
      >
        {entry.reason}
      </td>
      <td className="px-2.5 max-lg:hidden">
        <span className="inline-flex items-center font-mono text-xs text-ink-3">
          {entry.hash.slice(0, HASH_CHARACTERS)}
          <CopyButton
            text={entry.hash}
            label={t('copyHash', { seq })}
            copiedLabel={ui('copied')}
            failedLabel={ui('copyFailed')}
          />
        </span>
      </td>
    </tr>
  );
}
