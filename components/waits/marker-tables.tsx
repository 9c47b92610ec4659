'use client';

import { clsx } from 'clsx';
import { TrendingDown, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { QUANTILES } from '@/components/charts/quantile-series';
import { useClockText } from '@/components/labels';
import { DataTable, type Column } from '@/components/ui/data-table';
import type { Evidence } from '@/lib/protocol/lock';
import type { Quantiles, Waits } from '@/lib/protocol/measures';
import { changeOf, type Change } from './marker-change';
import { Percentile } from './percentile';

type Marker = NonNullable<Waits['marker']>;

interface Props {
  marker: Marker;
  /** The range on both sides of the marker, epoch ms. */
  from: number;
  to: number;
  evidence: Evidence;
}

interface Row {
  id: string;
  name: string;
  before: ReactNode;
  after: ReactNode;
  change: Change;
  /** Less of it is better. */
  isCost: boolean;
}

const MINUTE_MS = 60_000;

/** Waits and holds before a moment beside those after it, with the change. */
export function MarkerTables({ marker, from, to, evidence }: Props) {
  const t = useTranslations('waits.marker');
  const clock = useClockText();
  const minutes = { before: (marker.at - from) / MINUTE_MS, after: (to - marker.at) / MINUTE_MS };
  return (
    <section className="mt-3">
      <h3 className="mb-1.5 text-sm font-semibold">{t('title', { time: clock(marker.at, to) })}</h3>
      <div className="grid min-w-0 gap-3 lg:grid-cols-2">
        <MarkerTable
          of="waits"
          evidence={evidence}
          before={marker.before.waits}
          after={marker.after.waits}
          minutes={minutes}
        />
        <MarkerTable
          of="holds"
          evidence="observed"
          before={marker.before.holds}
          after={marker.after.holds}
          minutes={minutes}
        />
      </div>
    </section>
  );
}

interface TableProps {
  of: 'waits' | 'holds';
  evidence: Evidence;
  before: Quantiles;
  after: Quantiles;
  /** Lengths of the two sides: only rates can be compared when they differ. */
  minutes: { before: number; after: number };
}

function MarkerTable({ of, evidence, before, after, minutes }: TableProps) {
  const t = useTranslations('waits.marker');
  const waits = useTranslations('waits');
  const names = useTranslations('charts.quantiles');
  const format = useFormatter();
  const rateBefore = minutes.before > 0 ? before.count / minutes.before : null;
  const rateAfter = minutes.after > 0 ? after.count / minutes.after : null;
  const rate = (value: number | null) =>
    value === null ? '–' : format.number(value, { maximumSignificantDigits: 3 });
  const rows: Row[] = [
    {
      id: 'rate',
      name: t('perMinute'),
      before: rate(rateBefore),
      after: rate(rateAfter),
      change: evidence === 'unknown' ? { kind: 'unknown' } : changeOf(rateBefore, rateAfter),
      isCost: false,
    },
    ...QUANTILES.map((name) => ({
      id: name,
      name: names(name),
      before: <Percentile ms={before[name]} evidence={evidence} />,
      after: <Percentile ms={after[name]} evidence={evidence} />,
      change: changeOf(before[name], after[name]),
      isCost: true,
    })),
  ];
  const columns: Column<Row>[] = [
    { id: 'name', header: waits(of), cell: ({ name }) => name },
    { id: 'before', header: t('before'), align: 'end', cell: ({ before: shown }) => shown },
    { id: 'after', header: t('after'), align: 'end', cell: ({ after: shown }) => shown },
    { id: 'change', header: t('change'), align: 'end', cell: (row) => <ChangeText {...row} /> },
  ];
  return (
    <div className="min-w-0 rounded-md border border-line">
      <DataTable
        caption={t(`tables.${of}`)}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </div>
  );
}

/** From here on a factor reads better than a percentage. */
const FACTOR_FROM = 9;

function ChangeText({ change, isCost }: Pick<Row, 'change' | 'isCost'>) {
  const t = useTranslations('waits.marker');
  if (change.kind === 'unknown') return <span className="text-ink-3">{t('notKnown')}</span>;
  if (change.kind === 'same') return <span className="text-ink-3">{t('unchanged')}</span>;
  const { kind, share } = change;
  const Icon = kind === 'more' ? TrendingUp : TrendingDown;
  const tone = kind === 'more' ? 'text-critical' : 'text-ok';
  return (
    <span
      className={clsx(
        'inline-flex items-center justify-end gap-1 font-medium',
        isCost ? tone : 'text-ink-2',
      )}
    >
      <Icon size={12} aria-hidden />
      {kind === 'more' && share >= FACTOR_FROM
        ? t('times', { factor: Math.round(share + 1) })
        : t(kind, { share })}
    </span>
  );
}
