'use client';

import { useTranslations } from 'use-intl';
import { EvidenceMark, TimeAgo } from '@/components/labels';
import type { WaitHint } from '@/lib/protocol/lock';

/** What points to somebody waiting without proving it, each with how it is known. */
export function WaitHints({ hints }: { hints: readonly WaitHint[] }) {
  const t = useTranslations('lock.waiters');
  if (hints.length === 0) return null;
  return (
    <ul aria-label={t('hintsLabel')} className="flex flex-col gap-1">
      {hints.map((hint) => (
        <li key={`${hint.source}:${hint.at}`} className="flex gap-2">
          <EvidenceMark evidence={hint.evidence} className="h-5 shrink-0" />
          <HintText hint={hint} />
        </li>
      ))}
    </ul>
  );
}

function HintText({ hint: { source, count, at } }: { hint: WaitHint }) {
  const t = useTranslations('lock.waiters.hints');
  const ago = () => <TimeAgo at={at} />;
  const isCounted = count !== null;
  return (
    <span className="min-w-0">
      {t.rich(isCounted ? source : `${source}-uncounted`, { count: count ?? 0, ago })}
    </span>
  );
}
