'use client';

import { useTranslations } from 'use-intl';
import { useSaid } from '@/components/labels';
import { Badge } from '@/components/ui/badge';
import type { LockDetail } from '@/lib/protocol/lock';

/** All libraries that could have written the lock, each with what speaks for it. None is guessed away. */
export function Candidates({ lock: { candidates = [], format } }: { lock: LockDetail }) {
  const t = useTranslations('lock.library');
  const say = useSaid();
  if (candidates.length < 2) return null;
  return (
    <section aria-label={t('candidates', { count: candidates.length })} className="mt-2.5">
      <h3 className="text-xs font-medium text-ink-2">
        {t('candidates', { count: candidates.length })}
      </h3>
      <ol className="mt-1 flex flex-col divide-y divide-line rounded-md border border-line">
        {candidates.map((candidate) => (
          <li key={candidate.format} className="px-2.5 py-1.5 text-sm">
            <span className="flex items-center gap-1.5 font-medium">
              {candidate.name}
              {candidate.format === format && <Badge tone="accent">{t('shown')}</Badge>}
            </span>
            <span className="block text-xs text-ink-2">{say(candidate.why, '')}</span>
          </li>
        ))}
      </ol>
      <p className="mt-1 text-xs text-ink-3">{t('candidatesWhy')}</p>
    </section>
  );
}
