'use client';

import { useTranslations } from 'use-intl';
import { ClockTime, KeyText } from '@/components/labels';
import type { DryRun, UsualHold } from '@/lib/protocol/rules';
import { writeDuration } from './duration-input';

/** Where an adaptive threshold lies for a class, and how many holds over which time that rests on. */
export function UsualText({ usual, limitMs }: { usual: UsualHold; limitMs: number }) {
  const t = useTranslations('rules.usual');
  const { p99Ms, holds, from } = usual;
  if (from === null) return <>{t('never')}</>;
  const since = () => <ClockTime at={from} />;
  if (p99Ms === null) return <>{t.rich('tooFew', { holds, from: since })}</>;
  const limit = writeDuration(limitMs);
  const p99 = writeDuration(Math.max(1, Math.round(p99Ms)));
  return <>{t.rich('rests', { limit, p99, holds, from: since })}</>;
}

const SHOWN = 5;

/** The same for each of some classes. */
export function UsualList({ limits }: { limits: DryRun['limits'] }) {
  const t = useTranslations('rules.usual');
  if (limits.length === 0) return null;
  return (
    <ul aria-label={t('of')} className="flex flex-col gap-0.5 text-xs">
      {limits.slice(0, SHOWN).map((each) => (
        <li key={each.class} className="flex min-w-0 flex-wrap gap-x-2">
          <KeyText text={each.class} className="min-w-0" />
          <span className="text-ink-2">
            <UsualText usual={each} limitMs={each.limitMs} />
          </span>
        </li>
      ))}
    </ul>
  );
}
