import type { Heatmap, HeatMetric } from '@/lib/protocol/measures';

const STEP_MS = 10_000;

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

function waveValue(row: number, column: number, random: () => number): number {
  const base = [0.02, 0.2, 1.4, 0.6, 0, 0.05, 0.9, 0.003][row % 8] ?? 0;
  const burst = row % 8 === 2 && column % 60 > 40 ? 6 : 1;
  const diagonal = Math.abs(row * 12 - column) < 5 ? 3 : 0;
  return random() < 0.12 ? 0 : base * burst * (0.4 + random()) + diagonal * random();
}

interface HeatOptions {
  now: number;
  metric?: HeatMetric;
  rows?: number;
  columns?: number;
  stepMs?: number;
  /** Columns at the start in which nothing was watched. */
  unwatched?: number;
  gaps?: boolean;
}

export function sampleHeatmap(options: HeatOptions): Heatmap {
  const { now, metric = 'hold-share', rows = 8, columns = 180, stepMs = STEP_MS } = options;
  const random = createRandom(7);
  const end = Math.floor(now / stepMs) * stepMs;
  const starts = Array.from({ length: columns }, (_, c) => end - (columns - c) * stepMs);
  const gapFrom = Math.floor(columns * 0.62);
  const names = Array.from({ length: rows }, (_, row) => {
    const [namespace, name] = CLASSES[row % 8] ?? ['', 'x'];
    const part = Math.floor((row * 8) / rows);
    const block = CLASSES[part]?.[0] ?? '';
    return rows <= 8 ? { namespace, name } : { namespace: block, name: `${block}:task-${row}:*` };
  });
  return {
    metric,
    rows: names.map(({ namespace, name }) => ({ label: name, path: [namespace, name] })),
    columns: starts,
    stepMs,
    values: names.map((_, row) =>
      starts.map((_at, column) => {
        if (column < (options.unwatched ?? 0)) return null;
        if (options.gaps && column >= gapFrom && column < gapFrom + 6) return null;
        if (metric === 'waiters' && row % 3 === 1) return null;
        return waveValue(row, column, random);
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
    rowsLeftOut: rows > 100 ? 412 : 0,
  };
}
