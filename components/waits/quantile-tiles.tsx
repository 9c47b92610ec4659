'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import { QUANTILES } from '@/components/charts/quantile-series';
import { EvidenceMark } from '@/components/labels';
import type { Evidence } from '@/lib/protocol/lock';
import type { Quantiles, Waits } from '@/lib/protocol/measures';
import { Percentile } from './percentile';

const COLOUR = { waits: 'bg-chart-1', holds: 'bg-chart-3' };

/** The percentiles of waits and, beside them, of holds; waits once more apart by how well they are known. */
export function QuantileTiles({ data }: { data: Waits }) {
  const parts = data.byEvidence.filter(({ count }) => count > 0);
  return (
    <ul className="grid gap-3 lg:grid-cols-2">
      <Tile name="waits" evidence={data.evidence} of={data}>
        {parts.length > 1 &&
          parts.map((part) => <Part key={part.evidence} evidence={part.evidence} of={part} />)}
      </Tile>
      <Tile name="holds" evidence="observed" of={data.holds} />
    </ul>
  );
}

interface TileProps {
  name: 'waits' | 'holds';
  evidence: Evidence;
  of: Quantiles;
  children?: React.ReactNode;
}

function Tile({ name, evidence, of, children }: TileProps) {
  const t = useTranslations('waits');
  const charts = useTranslations('charts.quantiles');
  return (
    <li className="min-w-0 rounded-lg border border-line bg-surface">
      <p className="flex items-center gap-2 border-b border-line px-3 py-2 text-sm font-semibold">
        <span aria-hidden className={clsx('size-2.5 rounded-sm', COLOUR[name])} />
        {t(name)}
        <EvidenceMark evidence={evidence} named />
        <span className="ml-auto text-xs font-normal text-ink-3">
          {t('samples', { count: of.count })}
        </span>
      </p>
      <dl className="grid grid-cols-5">
        {QUANTILES.map((quantile) => (
          <div key={quantile} className="min-w-0 px-1.5 py-2.5 first:pl-3 sm:px-3">
            <dt className="text-xs text-ink-3">{charts(quantile)}</dt>
            <dd className="text-sm font-semibold tracking-tight sm:text-xl">
              <Percentile ms={of[quantile]} evidence={evidence} />
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </li>
  );
}

/** The same percentiles of the waits that are known in one way. */
function Part({ evidence, of }: { evidence: Evidence; of: Quantiles }) {
  const t = useTranslations('waits');
  const charts = useTranslations('charts.quantiles');
  return (
    <div className="border-t border-line py-1.5">
      <p className="flex items-center gap-2 px-3 text-xs">
        <EvidenceMark evidence={evidence} named />
        <span className="ml-auto text-ink-3">{t('samples', { count: of.count })}</span>
      </p>
      <dl className="grid grid-cols-5 text-xs text-ink-2">
        {QUANTILES.map((quantile) => (
          <div key={quantile} className="min-w-0 px-1.5 first:pl-3 sm:px-3">
            <dt className="sr-only">{charts(quantile)}</dt>
            <dd>
              <Percentile ms={of[quantile]} evidence={evidence} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
