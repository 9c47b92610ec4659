import { QUANTILES } from '@/components/charts/quantile-series';
import { csvText, type CsvValue } from '@/lib/csv';
import type { Quantiles, Waits } from '@/lib/protocol/measures';

const time = (at: number): string => new Date(at).toISOString();

const QUANTILE_HEAD = QUANTILES.map((name) => `${name}_ms`);
const quantiles = (of: Quantiles | null): CsvValue[] => [
  of?.count ?? null,
  ...QUANTILES.map((name) => of?.[name] ?? null),
];
const named = (kind: string): string[] =>
  ['count', ...QUANTILE_HEAD].map((name) => `${kind}_${name}`);

/** Percentiles step by step; a step of which nothing is known has empty cells. */
export const seriesCsv = ({ series, stepMs }: Waits): string =>
  csvText(
    ['from', 'to', ...named('waits'), ...named('holds')],
    series.map(({ at, waits, holds }) => [
      ...[time(at), time(at + stepMs)],
      ...[...quantiles(waits), ...quantiles(holds)],
    ]),
  );

export function distributionCsv({ buckets, byEvidence, holds }: Waits): string {
  const bounds = [...new Set([...buckets, ...holds.buckets].map(({ le }) => le))].toSorted(
    (a, b) => a - b,
  );
  const countAt = (of: Waits['buckets'], le: number): number =>
    of.find((bucket) => bucket.le === le)?.count ?? 0;
  return csvText(
    ['up_to_ms', 'waits', ...byEvidence.map(({ evidence }) => `waits_${evidence}`), 'holds'],
    bounds.map((le) => [
      le,
      countAt(buckets, le),
      ...byEvidence.map((part) => countAt(part.buckets, le)),
      countAt(holds.buckets, le),
    ]),
  );
}

export const classesCsv = ({ byClass }: Waits): string =>
  csvText(
    [
      ...['namespace', 'class', 'evidence', 'waits'],
      ...['wait_p50_ms', 'wait_p95_ms', 'wait_p99_ms'],
      ...['holds', 'hold_p50_ms', 'hold_p95_ms', 'hold_p99_ms'],
    ],
    byClass.map(({ namespace, class: name, evidence, waitMs, holdMs }) => [
      ...[namespace, name, evidence],
      // Of waits that cannot be seen there is no number, not even zero.
      evidence === 'unknown' ? null : waitMs.count,
      ...[waitMs.p50, waitMs.p95, waitMs.p99],
      ...[holdMs.count, holdMs.p50, holdMs.p95, holdMs.p99],
    ]),
  );

/** One line for each wait; holders in the order in which they held the lock. */
export const slowestCsv = ({ slowest }: Waits): string =>
  csvText(
    [
      ...['start', 'end', 'wait_ms', 'outcome', 'evidence', 'source', 'waiter'],
      ...['namespace', 'class', 'db', 'key', 'key_base64url', 'held_by', 'more_holds'],
    ],
    slowest.map((wait) => [
      ...[time(wait.start), time(wait.end), wait.end - wait.start],
      ...[wait.outcome, wait.evidence, wait.source, wait.owner],
      ...[wait.namespace, wait.class, wait.db, wait.key, wait.keyB64],
      ...[wait.heldBy.map(({ owner }) => owner ?? '?').join(' '), wait.heldByMore],
    ]),
  );
