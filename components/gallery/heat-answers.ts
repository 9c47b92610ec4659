import { gridOfValues } from '@/components/heatmap/heat-data';
import { HEAT_METRICS } from '@/lib/protocol/closed-sets';
import { createHeatPacker } from '@/lib/protocol/heat-cells';
import type { HeatCell, Heatmap, HeatRow } from '@/lib/protocol/measures';
import { HeatCellParams, HeatmapParams } from '@/lib/protocol/queries';
import { lockName, sampleHeatmap, STEP_MS, type HeatOptions } from './heat';

const STEPS_MS = [10, 30, 60, 300, 600, 1800, 7200, 21_600, 86_400].map(
  (seconds) => seconds * 1000,
);
const DAY_MS = 86_400_000;

/** Answers as the server would, but for what `options` lay down: another range or part is another map. */
export function heatmapAnswers(options: HeatOptions): (params: unknown) => Heatmap {
  return (params) => {
    const asked = HeatmapParams.parse(params ?? {});
    const to = Math.min(options.now, asked.to ?? options.now);
    const spanMs = asked.from === undefined ? null : to - asked.from;
    const columns = options.columns ?? 180;
    const stepMs = spanMs === null ? options.stepMs : STEPS_MS.find((step) => spanMs / step <= 360);
    const group = options.group ?? asked.group ?? 'class';
    const map = sampleHeatmap({
      ...options,
      now: to,
      group,
      metric: options.metric ?? asked.metric ?? 'hold-share',
      seed: 7 + Math.floor((options.now - to) / DAY_MS),
      ...(stepMs !== undefined && { stepMs }),
      ...(spanMs !== null && { columns: Math.max(1, Math.ceil(spanMs / (stepMs ?? DAY_MS))) }),
      ...(spanMs === null && { columns }),
    });
    const part = partOf(map, asked);
    return (options.packed ?? asked.packed) ? packedMap(part) : part;
  };
}

function packedMap(map: Heatmap): Heatmap {
  const { rows, columns, cells } = gridOfValues(map.values, map.columns.length);
  const pack = createHeatPacker({ cells: Float64Array.from(cells), rows, columns });
  return { ...map, values: [], cells: map.columns.map((_, column) => pack(column)) };
}

function partOf(map: Heatmap, { namespace, class: name }: HeatmapParams): Heatmap {
  const isIn = ({ path }: HeatRow): boolean =>
    (namespace === undefined || path[0] === namespace) && (name === undefined || path[1] === name);
  const kept = map.rows.flatMap((row, index) => (isIn(row) ? [index] : []));
  return {
    ...map,
    rows: kept.flatMap((index) => map.rows[index] ?? []),
    values: kept.map((index) => map.values[index] ?? []),
  };
}

export function sampleHeatCell(params: unknown): HeatCell {
  const fallback = { from: 0, to: STEP_MS };
  const {
    from,
    to,
    namespace = 'stock',
    class: name = '*',
  } = HeatCellParams.parse(params ?? fallback);
  const figures = [1.42, 312, 3.1, 812, null, 2, 14, 0];
  const owners = ['order-7@10.1.2.3:4411', 'order-2@10.1.2.9:4402', 'batch@10.1.9.1:77'];
  const leaf = { namespace, class: name, lock: lockName('stock:sku:4711') };
  return {
    from,
    to,
    values: HEAT_METRICS.map((metric, index) => ({
      metric,
      value: figures[index] ?? null,
      unit: 'ms',
    })),
    gaps: [],
    blame: [
      ...owners.map((owner, index) => ({
        ...leaf,
        cause: 'holder' as const,
        owner,
        waitMs: 41_000 / (index + 1) ** 2,
      })),
      { ...leaf, cause: 'nobody' as const, owner: null, waitMs: 800 },
    ],
  };
}
