'use client';

import { useTranslations } from 'use-intl';
import type { Waiting } from '@/lib/protocol/lock';
import { Figure } from './evidence-mark';

interface Props {
  waiting: Waiting;
  /** Figures and marks only: for a narrow column. */
  short?: boolean;
}

/** How many wait; a hatched "?" where nobody can know. */
export function WaitingText({ waiting, short = false }: Props) {
  const t = useTranslations('labels');
  const why = t(`waitingWhy.${waiting.source}`);
  if (waiting.source === 'never-waits') {
    return (
      <span title={why} className="text-ink-3">
        {short ? '–' : t('waiting.neverWaits')}
        {short && <span className="sr-only">{t('waiting.neverWaits')}</span>}
      </span>
    );
  }
  if (waiting.count === null || waiting.evidence === 'unknown') {
    return (
      <span title={why} className="inline-flex items-center gap-1.5 text-ink-2">
        <Figure evidence="unknown">{null}</Figure>
        {!short && t(waiting.evidence === 'inferred' ? 'waiting.perhaps' : 'waiting.notObservable')}
      </span>
    );
  }
  const count = waiting.count;
  return (
    <span title={why} className={count === 0 ? 'text-ink-3' : undefined}>
      <Figure evidence={waiting.evidence}>
        {short ? count : t(`waiting.${waiting.unit}`, { count })}
      </Figure>
    </span>
  );
}
