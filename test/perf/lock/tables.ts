import type { Measured } from '@/test/perf/lock/measure';

const whole = (value: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: 0 });
const precise = (value: number): string =>
  value.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The first column to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

function uncontendedTable(uncontended: Measured['uncontended']): string {
  const counts = [...uncontended.keys()];
  const clients = [...(uncontended.get(counts[0] ?? 0)?.keys() ?? [])];
  const rows = clients.map((client) => [
    client,
    ...counts.flatMap((workers) => {
      const figures = uncontended.get(workers)?.get(client);
      return [whole(figures?.perSecond ?? Number.NaN), precise(figures?.ratio ?? Number.NaN)];
    }),
  ]);
  const head = ['own lock each', ...counts.flatMap((workers) => [`${workers}: pairs/s`, '×'])];
  return table([head, ...rows]);
}

function contendedTable(contended: Measured['contended']): string {
  const head = [
    'one lock',
    'pairs/s',
    'hold ms',
    'hand-over ms',
    'p50 ms',
    'p99 ms',
    'max ms',
    'p99/ideal',
    'most/fewest',
    'commands',
    'overlaps',
  ];
  const rows = [...contended].map(([client, figures]) => [
    client,
    whole(figures.perSecond),
    precise(figures.holdMs),
    precise(figures.handOverMs),
    precise(figures.p50Ms),
    precise(figures.p99Ms),
    whole(figures.maxMs),
    precise(figures.p99OverIdeal),
    precise(figures.maxMin),
    precise(figures.commandsPerAcquire),
    whole(figures.overlaps),
  ]);
  return table([head, ...rows]);
}

/** What was measured, a line for each client. */
export function tablesOf({ uncontended, contended }: Measured): string {
  const tables: string[] = [];
  if (uncontended.size > 0) tables.push(uncontendedTable(uncontended));
  if (contended.size > 0) tables.push(contendedTable(contended));
  return tables.map((text) => `${text}\n`).join('\n');
}
