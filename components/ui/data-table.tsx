import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  /** Hidden below `md`: for what a phone can do without. */
  wideOnly?: boolean;
  className?: string;
}

interface Props<Row> {
  /** Read out as the table's name; not drawn. */
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What stands in place of the rows when there are none. */
  empty?: ReactNode;
}

/** A plain table for short lists; scrolls sideways within itself. */
export function DataTable<Row>({ caption, columns, rows, rowKey, empty }: Props<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    // What scrolls must be reachable by keyboard. A group and no landmark: the panel around it is one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="group" className="relative overflow-x-auto" tabIndex={0} aria-label={caption}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={clsx(cellClass(column), 'h-8 text-xs font-medium text-ink-3')}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {columns.map((column) => (
                <td key={column.id} className={clsx(cellClass(column), 'py-1.5 align-baseline')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cellClass = (column: Pick<Column<never>, 'align' | 'wideOnly' | 'className'>): string =>
  clsx(
    'px-3 whitespace-nowrap',
    column.align === 'end' ? 'text-right' : 'text-left',
    column.wideOnly && 'max-md:hidden',
    column.className,
  );
