'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { subjectHref } from '@/components/charts/subject';
import { useTargetId } from '@/components/hooks';
import { DurationText, Figure, KeyText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Meter } from '@/components/ui/meter';
import { PageLink } from '@/components/ui/page-link';
import type { Evidence } from '@/lib/protocol/lock';
import type { BlameLine } from './blame-lines';
import { useBlameWords } from './use-blame-words';

interface Props {
  lines: readonly BlameLine[];
  totalMs: number;
  evidence: Evidence;
  /** The range as an address says it, for links to the waits of the same time. */
  range: Record<string, string | number>;
}

const WRAPPED = '[overflow-wrap:anywhere] [word-break:normal]! whitespace-normal';
const FEW = 25;
const MOST = 200;

/** Who made others wait, the greatest first. */
export function BlameRanking({ lines, totalMs, evidence, range }: Props) {
  const t = useTranslations('blame');
  const ui = useTranslations('ui');
  const [showsAll, setShowsAll] = useState(false);
  const columns = useColumns({ totalMs, evidence, range });
  return (
    <>
      <DataTable
        caption={t('listCaption')}
        columns={columns}
        rows={lines.slice(0, showsAll ? MOST : FEW)}
        rowKey={({ id }) => id}
      />
      {lines.length > FEW && (
        <p className="flex items-center gap-3 border-t border-line px-3 py-2 text-xs text-ink-3">
          <Button look="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {ui(showsAll ? 'showLess' : 'showAll')}
          </Button>
          {(!showsAll || lines.length > MOST) &&
            t('listCut', { shown: showsAll ? MOST : FEW, total: lines.length })}
        </p>
      )}
    </>
  );
}

function useColumns({ totalMs, evidence, range }: Omit<Props, 'lines'>): Column<BlameLine>[] {
  const t = useTranslations('blame');
  return [
    {
      id: 'holder',
      header: t('columns.holder'),
      className: 'max-w-44 sm:max-w-72',
      cell: (line) => <Cause line={line} />,
    },
    {
      id: 'lock',
      header: t('columns.lock'),
      className: 'max-w-36 sm:max-w-64',
      wideOnly: true,
      cell: (line) => <LockCell line={line} />,
    },
    {
      id: 'class',
      header: t('columns.class'),
      className: 'max-w-56',
      wideOnly: true,
      cell: ({ leaf }) =>
        leaf === null ? null : (
          <PageLink
            href={subjectHref('/waits', { namespace: leaf.namespace, class: leaf.class }, range)}
            prefetch={false}
            className="flex min-w-0 hover:text-accent-ink hover:underline"
          >
            <KeyText text={leaf.class} />
          </PageLink>
        ),
    },
    {
      id: 'wait',
      header: t('columns.wait'),
      align: 'end',
      cell: ({ waitMs }) => (
        <Figure evidence={evidence}>
          <DurationText ms={waitMs} className="font-medium" />
        </Figure>
      ),
    },
    {
      id: 'share',
      header: t('columns.share'),
      align: 'end',
      className: 'sm:w-40',
      cell: ({ waitMs }) => {
        const share = totalMs === 0 ? 0 : waitMs / totalMs;
        return (
          // The figure alone lies on the line of text that the row is aligned by.
          <span className="flex items-baseline justify-end gap-2">
            <Meter share={share} className="min-w-8 flex-1 -translate-y-1 max-sm:hidden" />
            <span className="w-12 shrink-0">{t('shareText', { share })}</span>
          </span>
        );
      },
    },
  ];
}

/** On a phone the lock stands below its holder. */
function Cause({ line }: { line: BlameLine }) {
  const t = useTranslations('blame');
  const words = useBlameWords();
  const { cause } = line;
  const isNamed = cause === 'holder' && line.owner !== null;
  return (
    <span className="flex min-w-0 flex-col">
      {isNamed ? (
        <span className="flex min-w-0 flex-col" title={line.owner ?? undefined}>
          {/* A name and where it runs go over two lines where one has no room for both. */}
          <KeyText
            text={words.cause(line)}
            full={line.place !== null}
            className={line.place ? WRAPPED : undefined}
          />
          {line.place && line.owner !== null && (
            <KeyText text={line.owner} className="text-xs text-ink-3 max-md:hidden" />
          )}
        </span>
      ) : (
        <span
          title={cause === 'holder' ? undefined : t(`causeMeanings.${cause}`)}
          className="whitespace-normal text-ink-2"
        >
          {words.cause(line)}
        </span>
      )}
      <span className="flex min-w-0 text-xs text-ink-3 md:hidden">
        <LockCell line={line} />
      </span>
    </span>
  );
}

function LockCell({ line }: { line: BlameLine }) {
  const t = useTranslations('blame');
  const target = useTargetId();
  if (line.leaf === null) return <>{t('several', { count: line.locks })}</>;
  const { lock } = line.leaf;
  if (lock === null) {
    return <span className="whitespace-normal text-ink-3">{t('smallLocks')}</span>;
  }
  return target === null ? (
    <KeyText text={lock.key} />
  ) : (
    <KeyText text={lock.key} lock={{ target, db: lock.db, keyB64: lock.keyB64 }} />
  );
}
