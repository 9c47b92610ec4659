'use client';

import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Evidence } from '@/lib/protocol/lock';

const MARK: Record<Evidence, string> = {
  observed: 'border-[1.5px] border-ok bg-ok',
  inferred: 'border-[1.5px] border-dashed border-warning',
  unknown: 'hatched border border-ink-3',
};

interface MarkProps {
  evidence: Evidence;
  /** Writes the word beside the mark. */
  named?: boolean;
  className?: string;
}

/** How a figure came to be known: solid = observed, dashed = inferred, hatched = unknown. */
export function EvidenceMark({ evidence, named = false, className }: MarkProps) {
  const t = useTranslations('labels');
  return (
    <span
      title={t(`evidenceMeanings.${evidence}`)}
      className={clsx(
        'inline-flex items-center gap-1 text-xs whitespace-nowrap text-ink-2',
        className,
      )}
    >
      <span aria-hidden className={clsx('size-2 shrink-0 rounded-full', MARK[evidence])} />
      <span className={named ? undefined : 'sr-only'}>{t(`evidence.${evidence}`)}</span>
    </span>
  );
}

interface FigureProps {
  evidence: Evidence;
  /** Null draws the hatched "?", whatever the evidence says. */
  children: ReactNode;
}

/** A figure in its evidence: plain, dashed underline, or a hatched "?" in place of a number. */
export function Figure({ evidence, children }: FigureProps) {
  const t = useTranslations('labels');
  if (evidence === 'unknown' || children === null) {
    return (
      <span
        title={t('evidenceMeanings.unknown')}
        className="hatched inline-flex min-w-5 items-center justify-center rounded-sm border border-line-strong px-1 text-ink-2"
      >
        <span aria-hidden>?</span>
        <span className="sr-only">{t('evidence.unknown')}</span>
      </span>
    );
  }
  if (evidence === 'observed') return <>{children}</>;
  return (
    <span
      title={t('evidenceMeanings.inferred')}
      className="underline decoration-ink-3 decoration-dashed underline-offset-3"
    >
      {children}
    </span>
  );
}
