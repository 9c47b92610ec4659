import { csvText } from '@/lib/csv';
import { cellValue, type HeatData } from '@/components/heatmap/heat-data';

const HEAD = ['namespace', 'class', 'name', 'database', 'kind', 'rows added up'];

/** The map as a table: a row for each of its rows, a column for each of its steps; not known = empty. */
export function heatCsv({ rows, columns, grid }: HeatData): string {
  const head = [...HEAD, ...columns.map((at) => new Date(at).toISOString())];
  const lines = rows.map((row, r) => {
    const isRest = row.kind === 'others';
    const [namespace = '', name = null, own = null] = isRest ? row.path.slice(0, -1) : row.path;
    return [
      namespace,
      name,
      own,
      row.lock?.db ?? null,
      row.kind,
      row.merged ?? null,
      ...columns.map((_, c) => cellValue(grid, r, c)),
    ];
  });
  return csvText(head, lines);
}
