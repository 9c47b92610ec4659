'use client';

import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

interface Props {
  /** What the picture shows, in one sentence with its figures. */
  summary: string;
  /** The same in rows and columns; made only when somebody opens it. */
  table: { head: string[]; rows: () => string[][] };
  children: ReactNode;
}

const SHOWN_ROWS = 60;

/** A chart that does not depend on being seen: a sentence beside it and a table beneath. */
export function ChartFigure({ summary, table, children }: Props) {
  const t = useTranslations('charts');
  const id = useId();
  const [tableShown, setTableShown] = useState(false);
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption id={id} className="sr-only">
        {summary}
      </figcaption>
      <div aria-hidden className="min-w-0">
        {children}
      </div>
      <details
        className="mt-1 text-xs text-ink-3"
        onToggle={(event) => setTableShown(event.currentTarget.open)}
      >
        <summary className="hover:text-ink">{t('table')}</summary>
        {tableShown && <FigureTable summary={summary} table={table} />}
      </details>
    </figure>
  );
}

function FigureTable({ summary, table }: Pick<Props, 'summary' | 'table'>) {
  return (
    <section
      className="mt-1 max-h-60 overflow-auto"
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={summary}
    >
      <table className="border-collapse text-xs">
        <thead>
          <tr>
            {table.head.map((text) => (
              <th
                key={text}
                scope="col"
                className="px-2 py-1 text-right font-medium first:text-left"
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table
            .rows()
            .slice(-SHOWN_ROWS)
            .map((row) => (
              <tr key={row[0]} className="border-t border-line text-ink-2">
                {row.map((text, column) => (
                  <td key={table.head[column]} className="px-2 py-0.5 text-right first:text-left">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
