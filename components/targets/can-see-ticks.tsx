'use client';

import { clsx } from 'clsx';
import { Check, CircleHelp, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { TargetNode } from '@/lib/protocol/target';

const KINDS = ['acquire', 'release', 'lapse', 'eviction'] as const;

/** The four questions of a node: each yes, no, or not known, told by sign, word and colour. */
export function CanSeeTicks({ canSee }: { canSee: TargetNode['canSee'] }) {
  const t = useTranslations('targets');
  return (
    <ul aria-label={t('canSee')} className="grid grid-cols-2 gap-px bg-line sm:grid-cols-4">
      {KINDS.map((kind) => (
        <li
          key={kind}
          title={t(`kindMeanings.${kind}`)}
          className="flex items-center gap-2.5 bg-surface px-3 py-2.5"
        >
          <Tick answer={canSee[kind]} />
          <span className="min-w-0">
            <span className="block text-sm font-medium">{t(`kinds.${kind}`)}</span>
            <span className="block truncate text-xs text-ink-3">
              {t(canSee[kind] === null ? 'unknown' : canSee[kind] ? 'yes' : 'no')}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Tick({ answer }: { answer: boolean | null }) {
  const Icon = answer === null ? CircleHelp : answer ? Check : X;
  return (
    <span
      aria-hidden
      className={clsx(
        'inline-flex size-6 shrink-0 items-center justify-center rounded-full',
        answer === null && 'hatched border border-line-strong text-ink-2',
        answer === true && 'bg-ok-soft text-ok',
        answer === false && 'bg-critical-soft text-critical',
      )}
    >
      <Icon size={14} strokeWidth={2.5} />
    </span>
  );
}
