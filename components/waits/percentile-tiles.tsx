'use client';

import { useTranslations } from 'use-intl';
import type { Waits } from '@/lib/protocol/measures';
import type { Evidence } from '@/lib/protocol/lock';
import { DurationText, EvidenceMark, Figure } from '@/components/labels';

interface Row {
  name: 'waits' | 'holds';
  evidence: Evidence;
  of: { p50: number | null; p95: number | null; p99: number | null; count: number };
}

const NAMES = ['p50', 'p95', 'p99'] as const;
const COLOUR = { waits: 'bg-chart-1', holds: 'bg-chart-3' };

/** p50, p95 and p99 of waits and, beside them, of holds. */
export function PercentileTiles({ data }: { data: Waits }) {
  const t = useTranslations('waits');
  const rows: Row[] = [
    { name: 'waits', evidence: data.evidence, of: data },
    { name: 'holds', evidence: 'observed', of: data.holds },
  ];
  return (
    <ul className="grid gap-3 md:grid-cols-2">
      {rows.map(({ name, evidence, of }) => (
        <li key={name} className="min-w-0 rounded-lg border border-line bg-surface">
          <p className="flex items-center gap-2 border-b border-line px-3 py-2 text-sm font-semibold">
            <span aria-hidden className={`size-2.5 rounded-sm ${COLOUR[name]}`} />
            {t(name)}
            <EvidenceMark evidence={evidence} named />
            <span className="ml-auto text-xs font-normal text-ink-3">
              {t('samples', { count: of.count })}
            </span>
          </p>
          <dl className="grid grid-cols-3">
            {NAMES.map((percentile) => (
              <div key={percentile} className="min-w-0 px-3 py-2.5">
                <dt className="text-xs text-ink-3">{t(percentile)}</dt>
                <dd className="text-xl font-semibold tracking-tight">
                  <Percentile ms={of[percentile]} evidence={evidence} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** Nothing known is a hatched "?"; known and never happened is said in a word. */
export function Percentile({ ms, evidence }: { ms: number | null; evidence: Evidence }) {
  const t = useTranslations('waits');
  if (evidence === 'unknown') return <Figure evidence="unknown">{null}</Figure>;
  if (ms === null) return <span className="font-normal text-ink-3">{t('noSamples')}</span>;
  return (
    <Figure evidence={evidence}>
      <DurationText ms={ms} />
    </Figure>
  );
}
