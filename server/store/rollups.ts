import { END_REASONS } from '@/lib/protocol/closed-sets';
import { readSketch } from '@/lib/analysis/sketch';
import type { Backend, RowStatement } from './backend';
import type { Dictionary } from './dictionary';
import { END_COLUMNS, SKETCH_KINDS } from './schema';
import { ROLLUP_STEP_MS, type Rollup } from './store-contract';

export const MERGED_SPAN_MS = 60_000;

const KEY_COLUMNS = [
  ['span_ms', 'integer'],
  ['step', 'bigint'],
  ['series_id', 'bigint'],
] as const;
const COLUMNS = [
  ...KEY_COLUMNS,
  ['acquisitions', 'bigint'],
  ['held_ms', 'double precision'],
  ['waiter_ms', 'double precision'],
  ['handoff_ms', 'double precision'],
  ['handoffs', 'bigint'],
  ...END_COLUMNS.map((column) => [column, 'bigint'] as const),
] as const;
const SKETCH_COLUMNS = [...KEY_COLUMNS, ['kind', 'integer'], ['bytes', 'bytes']] as const;

const SUMMED = ['acquisitions', 'held_ms', 'handoff_ms', 'handoffs', ...END_COLUMNS];
const ADD_ON_CONFLICT = `on conflict (span_ms, step, series_id) do update set
  ${SUMMED.map((column) => `${column} = rollups.${column} + excluded.${column}`).join(', ')},
  waiter_ms = case when excluded.waiter_ms is null then rollups.waiter_ms
    else coalesce(rollups.waiter_ms, 0) + excluded.waiter_ms end`;
const REPLACE_SKETCH = `on conflict (span_ms, step, series_id, kind)
  do update set bytes = excluded.bytes`;

/** Sums of one class in one step, keyed for the database. */
interface Sums {
  span: number;
  step: number;
  seriesId: number;
  rollup: Rollup;
}

interface SketchRow {
  span: number;
  step: number;
  seriesId: number;
  kind: number;
  bytes: Uint8Array;
}

/** Adds to what is there. Reads sketches before it writes them, so call one at a time. */
export async function writeRollups(
  backend: Backend,
  dictionary: Dictionary,
  rows: readonly Rollup[],
): Promise<void> {
  if (rows.length === 0) return;
  const seriesIds = await dictionary.series(rows);
  const sums = rows.map((rollup, i) => ({
    span: rollup.spanMs ?? ROLLUP_STEP_MS,
    step: rollup.step,
    seriesId: seriesIds[i] ?? 0,
    rollup,
  }));
  await backend.writeRows(await addingStatements(backend, sums));
}

/** Statements that add `sums`; also used to merge steps into longer ones. */
export async function addingStatements(
  backend: Backend,
  sums: readonly Sums[],
): Promise<RowStatement[]> {
  const merged = mergeEqual(sums);
  const sketches = await mergedSketches(backend, sums);
  const statements: RowStatement[] = [
    {
      verb: 'insert',
      table: 'rollups',
      columns: COLUMNS,
      rows: merged.map(valuesOf),
      onConflict: ADD_ON_CONFLICT,
    },
  ];
  if (sketches.length > 0) {
    statements.push({
      verb: 'insert',
      table: 'sketches',
      columns: SKETCH_COLUMNS,
      rows: sketches.map((row) => [row.span, row.step, row.seriesId, row.kind, row.bytes]),
      onConflict: REPLACE_SKETCH,
    });
  }
  return statements;
}

const keyOf = (sums: { span: number; step: number; seriesId: number }): string =>
  `${sums.span}:${sums.step}:${sums.seriesId}`;

function mergeEqual(sums: readonly Sums[]): Sums[] {
  const merged = new Map<string, Sums>();
  for (const one of sums) {
    const key = keyOf(one);
    const before = merged.get(key);
    merged.set(key, before ? { ...before, rollup: addSums(before.rollup, one.rollup) } : one);
  }
  return [...merged.values()];
}

/** The sums of two rollups of one class; sketches are merged apart. */
function addSums(a: Rollup, b: Rollup): Rollup {
  const ends = { ...a.ends };
  for (const reason of END_REASONS) {
    const count = b.ends[reason];
    if (count !== undefined) ends[reason] = (ends[reason] ?? 0) + count;
  }
  const waiterMs =
    a.waiterMs === null && b.waiterMs === null ? null : (a.waiterMs ?? 0) + (b.waiterMs ?? 0);
  return {
    ...a,
    acquisitions: a.acquisitions + b.acquisitions,
    heldMs: a.heldMs + b.heldMs,
    waiterMs,
    ends,
    handoffMsSum: a.handoffMsSum + b.handoffMsSum,
    handoffCount: a.handoffCount + b.handoffCount,
  };
}

function valuesOf({ span, step, seriesId, rollup }: Sums): unknown[] {
  return [
    span,
    step,
    seriesId,
    rollup.acquisitions,
    rollup.heldMs,
    rollup.waiterMs,
    rollup.handoffMsSum,
    rollup.handoffCount,
    ...END_REASONS.map((reason) => rollup.ends[reason] ?? 0),
  ];
}

async function mergedSketches(backend: Backend, sums: readonly Sums[]): Promise<SketchRow[]> {
  const rows = new Map<string, SketchRow>();
  const add = (row: SketchRow): void => {
    const key = `${keyOf(row)}:${row.kind}`;
    const before = rows.get(key);
    if (!before) rows.set(key, row);
    else before.bytes = mergeSketches(before.bytes, row.bytes);
  };
  for (const { span, step, seriesId, rollup } of sums) {
    for (const [kind, name] of SKETCH_KINDS.entries()) {
      const bytes = name === 'hold' ? rollup.holdSketch : rollup.waitSketches[name];
      if (bytes) add({ span, step, seriesId, kind, bytes });
    }
  }
  for (const stored of await storedSketches(backend, [...rows.values()])) add(stored);
  return [...rows.values()];
}

function mergeSketches(a: Uint8Array, b: Uint8Array): Uint8Array {
  const sketch = readSketch(a);
  sketch.merge(readSketch(b));
  return sketch.serialise();
}

const ASKED_AT_ONCE = 400;

async function storedSketches(
  backend: Backend,
  wanted: readonly SketchRow[],
): Promise<SketchRow[]> {
  const bySpanAndStep = Map.groupBy(wanted, ({ span, step }) => `${span}:${step}`);
  const found: SketchRow[] = [];
  for (const group of bySpanAndStep.values()) {
    const ids = [...new Set(group.map(({ seriesId }) => seriesId))];
    const kinds = new Set(group.map(({ seriesId, kind }) => `${seriesId}:${kind}`));
    const [{ span, step } = { span: 0, step: 0 }] = group;
    for (let at = 0; at < ids.length; at += ASKED_AT_ONCE) {
      const rows = await backend.db
        .selectFrom('sketches')
        .select(['series_id', 'kind', 'bytes'])
        .where('span_ms', '=', span)
        .where('step', '=', step)
        .where('series_id', 'in', ids.slice(at, at + ASKED_AT_ONCE))
        .execute();
      for (const row of rows) {
        if (!kinds.has(`${row.series_id}:${row.kind}`)) continue;
        found.push({ span, step, seriesId: row.series_id, kind: row.kind, bytes: row.bytes });
      }
    }
  }
  return found;
}
