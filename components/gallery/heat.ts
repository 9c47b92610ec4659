import type { Heatmap, HeatMetric, HeatRow, LockName } from '@/lib/protocol/measures';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';

export const STEP_MS = 10_000;

/** Namespaces and classes of the samples. */
export const CLASSES: [string, string][] = [
  ['order_sync', 'order_sync:*'],
  ['order_sync', 'order_sync:refund:*'],
  ['stock', 'stock:sku:*'],
  ['stock', 'stock:segment:*'],
  ['log_analysis', 'log_analysis:LOG-*'],
  ['billing', 'billing:invoice:*:close'],
  ['billing', 'billing:month-end'],
  ['', 'nightly-report'],
];

/** The same figures at every run: a picture that changes by itself cannot be compared. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Of many rows few are hot: that is what a map of thousands is read for. */
function manyValue(row: number, column: number, random: () => number): number {
  const heat = (row * 7919) % 1000;
  const base = heat < 6 ? 3 : heat < 60 ? 0.3 : heat < 400 ? 0.02 : 0;
  const batch = row % 625 > 500 && column % 90 > 78 ? 0.8 : 0;
  const walk = Math.abs((row - 1250) / 4 - column) < 6 && row < 2600 ? 2 : 0;
  return random() < 0.15 ? 0 : (base + batch + walk) * (0.4 + random());
}

function waveValue(row: number, column: number, random: () => number): number {
  const base = [0.02, 0.2, 1.4, 0.6, 0, 0.05, 0.9, 0.003][row % 8] ?? 0;
  const burst = row % 8 === 2 && column % 60 > 40 ? 6 : 1;
  const diagonal = Math.abs(row * 12 - column) < 5 ? 3 : 0;
  return random() < 0.12 ? 0 : base * burst * (0.4 + random()) + diagonal * random();
}

export interface HeatOptions {
  now: number;
  metric?: HeatMetric;
  rows?: number;
  columns?: number;
  stepMs?: number;
  /** Columns at the start in which nothing was watched. */
  unwatched?: number;
  gaps?: boolean;
  group?: 'class' | 'lock' | 'owner';
  /** Colder rows are added up. */
  others?: boolean;
  /** Answers packed, whatever is asked. */
  packed?: boolean;
  seed?: number;
}

const SCALE: Partial<Record<HeatMetric, number>> = { acquisitions: 40, wait: 300, handoff: 12 };

export const lockName = (key: string): LockName => ({
  db: 0,
  key,
  keyB64: toBase64Url(bytesFromText(key)),
});

function classRow(row: number, rows: number): HeatRow {
  const [namespace, name] = CLASSES[rows <= 8 ? row % 8 : Math.floor((row * 8) / rows)] ?? ['', ''];
  const label = rows <= 8 ? name : `${namespace || 'misc'}:task-${row}:*`;
  return { label, path: [namespace, label], kind: 'class' };
}

function ownRow(row: number, rows: number, kind: 'lock' | 'owner'): HeatRow {
  const [namespace, name] = CLASSES[Math.floor((row * 8) / rows)] ?? ['', ''];
  if (kind === 'owner') {
    const label = `worker-${row % 40}@10.1.2.${row % 250}`;
    return { label, path: [namespace, name, label], kind };
  }
  const label = name.includes('*') ? name.replace('*', String(10_000 + row)) : `${name}:${row}`;
  return { label, path: [namespace, name, label], kind, lock: lockName(label) };
}

/** Ends each class (or namespace, of classes) with what else is in it. */
function withOthers(rows: readonly HeatRow[]): HeatRow[] {
  return rows.flatMap((row, index) => {
    const block = row.path.slice(0, -1);
    const next = rows[index + 1]?.path.slice(0, -1);
    if (next?.join('\n') === block.join('\n')) return [row];
    const rest: HeatRow = {
      label: 'others',
      path: [...block, 'others'],
      kind: 'others',
      merged: 12 + ((index * 37) % 900),
    };
    return [row, rest];
  });
}

function rowsOf({ rows = 8, group = 'class', others = false }: HeatOptions): HeatRow[] {
  const made = Array.from({ length: rows }, (_, row) =>
    group === 'class' ? classRow(row, rows) : ownRow(row, rows, group),
  );
  return others ? withOthers(made) : made;
}

export function sampleHeatmap(options: HeatOptions): Heatmap {
  const { now, metric = 'hold-share', columns = 180, stepMs = STEP_MS } = options;
  const random = createRandom(options.seed ?? 7);
  const end = Math.floor(now / stepMs) * stepMs;
  const starts = Array.from({ length: columns }, (_, c) => end - (columns - c) * stepMs);
  const gapFrom = Math.floor(columns * 0.62);
  const gapTo = gapFrom + 6;
  const rows = rowsOf(options);
  const valueOf = rows.length > 1000 ? manyValue : waveValue;
  return {
    metric,
    rows,
    columns: starts,
    stepMs,
    values: rows.map((about, row) =>
      starts.map((_at, column) => {
        if (column < (options.unwatched ?? 0)) return null;
        if (options.gaps && column >= gapFrom && column < gapTo) return null;
        if (metric === 'waiters' && row % 3 === 1) return null;
        if ((metric === 'wait' || metric === 'handoff') && about.kind === 'others') return null;
        return valueOf(row, column, random) * (SCALE[metric] ?? 1);
      }),
    ),
    unit: 'locks',
    evidence: metric === 'waiters' ? 'inferred' : 'observed',
    gaps: options.gaps
      ? [
          {
            from: starts[gapFrom] ?? 0,
            to: (starts[gapFrom] ?? 0) + 6 * stepMs,
            reason: 'buffer-cut',
          },
        ]
      : [],
    rowsLeftOut: rows.reduce((sum, row) => sum + (row.merged ?? 0), 0),
  };
}
