'use client';

import { useTranslations } from 'use-intl';
import { ClockTime, EvidenceMark, KeyText, useDurationText } from '@/components/labels';
import type { UsualLimit } from '@/lib/protocol/rules';

/** Where an adaptive threshold lies for a class, how many holds over which time that rests on, and how that is known. */
export function UsualText({ usual }: { usual: UsualLimit }) {
  const { p99Ms } = usual;
  return (
    <>
      <UsualWords usual={usual} />{' '}
      <EvidenceMark evidence={p99Ms === null ? 'unknown' : 'observed'} className="align-middle" />
    </>
  );
}

function UsualWords({ usual: { p99Ms, holds, from, limitMs } }: { usual: UsualLimit }) {
  const t = useTranslations('rules.usual');
  const duration = useDurationText();
  const limit = duration(limitMs);
  if (from === null) return <>{t('never', { limit })}</>;
  const since = () => <ClockTime at={from} />;
  if (p99Ms === null) return <>{t.rich('tooFew', { limit, holds, from: since })}</>;
  return <>{t.rich('rests', { limit, p99: duration(p99Ms), holds, from: since })}</>;
}

const SHOWN = 5;

/** The same for each of some classes. */
export function UsualList({ limits }: { limits: readonly UsualLimit[] }) {
  const t = useTranslations('rules.usual');
  if (limits.length === 0) return null;
  return (
    <ul aria-label={t('of')} className="flex flex-col gap-0.5 text-xs">
      {limits.slice(0, SHOWN).map((each) => (
        <li key={each.class} className="flex min-w-0 flex-wrap gap-x-2">
          <KeyText text={each.class} className="min-w-0" />
          <span className="text-ink-2">
            <UsualText usual={each} />
          </span>
        </li>
      ))}
    </ul>
  );
}
