/** Rows are asked for in whole pages, so that scrolling a little does not ask again. */
export const PAGE_ROWS = 60;

export interface RowWindow {
  /** First row asked for. */
  offset: number;
  limit: number;
}

/**
 * The window to open for the rows in sight: the pages they touch and one page either side. It stays the
 * same while the rows in sight stay within the same pages, and so does the query.
 */
export function windowFor(firstVisible: number, lastVisible: number): RowWindow {
  const firstPage = Math.max(0, Math.floor(firstVisible / PAGE_ROWS) - 1);
  const lastPage = Math.floor(Math.max(firstVisible, lastVisible) / PAGE_ROWS) + 1;
  return { offset: firstPage * PAGE_ROWS, limit: (lastPage - firstPage + 1) * PAGE_ROWS };
}

/** The row at `index` of the whole list, where the page that has arrived covers it. */
export function rowAt<Row>(
  page: { items: readonly Row[]; offset: number } | undefined,
  index: number,
): Row | undefined {
  return page?.items[index - page.offset];
}
