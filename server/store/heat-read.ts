import type { HeatColumn, HeatQuery, HeatSums, SeriesName } from './history-contract';
import { partsOf, type StoredPart } from './page-reader';
import { IdSlots } from './pages/id-slots';
import { decodeSums, isNullable, type SumsPage } from './pages/sums-page';
import { planRuns, type Run } from './read-plan';
import type { Reading } from './rollups-read';
import { inOneView, targetIdOf, wantedSeries, type Wanted } from './series-names';
import { readTierStates } from './tier-states';
import { createTurns, type Turns } from './turns';

type Db = Parameters<Parameters<typeof inOneView>[1]>[0];

interface Scan {
  db: Db;
  targetId: number;
  runs: readonly Run[];
  query: HeatQuery;
  wanted: Wanted;
  turns: Turns;
}

/**
 * Sums by series and step. The pages are read twice: first for how hot each series is, then for the cells of the
 * hottest, so that a range with many locks takes no more memory than its answer. A step longer than the answer's is
 * spread evenly over the columns that it lies in.
 */
export async function readHeat(
  { backend, names, tiers }: Reading,
  query: HeatQuery,
): Promise<HeatSums> {
  return await inOneView(backend, async (db) => {
    const targetId = await targetIdOf(db, query.target);
    if (targetId === null) return emptyHeat(query);
    const wanted = await wantedSeries(db, targetId, query);
    const runs = planRuns(await readTierStates(db, targetId, tiers), query);
    const scan = { db, targetId, runs, query, wanted, turns: createTurns() };
    const totals = await totalsOf(scan);
    const nameOf = await names.of(db, await candidates(totals, query.rows, scan.turns));
    const rows = hottest(totals, nameOf, query.rows);
    const grid = new HeatGrid(
      query,
      rows.map(({ id }) => id),
    );
    await grid.start(scan.turns);
    await forEachPage(scan, (page, part) => grid.add(page, part));
    await grid.finish(scan.turns);
    return {
      ...emptyHeat(query),
      series: rows.map(({ name }) => name),
      cells: grid.cells,
      leftOut: totals.slots.size - rows.length,
    };
  });
}

function emptyHeat({ from, to, stepMs, columns }: HeatQuery): HeatSums {
  const steps = Math.max(0, Math.ceil((to - from) / stepMs));
  const cells = Object.fromEntries(columns.map((column) => [column, new Float64Array(0)]));
  return { from, stepMs, steps, series: [], cells, leftOut: 0 };
}

async function forEachPage(
  { db, targetId, runs, query, turns }: Scan,
  work: (page: SumsPage, part: StoredPart) => void,
): Promise<void> {
  for await (const parts of partsOf(db, { targetId, runs, kind: `${query.level}-sums` })) {
    for (const part of parts) {
      work(decodeSums(part.bytes), part);
      if (turns.isDue()) await turns.next();
    }
  }
}

interface Totals {
  slots: IdSlots;
  /** Of the first column, by slot. */
  sums: Float64Array;
}

async function totalsOf(scan: Scan): Promise<Totals> {
  const { query, wanted } = scan;
  const [first] = query.columns;
  const slots = new IdSlots();
  let sums = new Float64Array(1024);
  await forEachPage(scan, (page) => {
    const columns = first === undefined ? [] : page.heat(first);
    const { ids, classIds, rows } = page;
    for (let i = 0; i < rows; i++) {
      const id = ids[i] ?? 0;
      if (!isWanted(wanted, query.level === 'class' ? id : (classIds?.[i] ?? 0), id)) continue;
      const slot = slots.of(id);
      if (slot >= sums.length) sums = grown(sums);
      for (const { values, none } of columns) {
        const value = values[i] ?? 0;
        if (value !== none && !Number.isNaN(value)) sums[slot] = (sums[slot] ?? 0) + value;
      }
    }
  });
  return { slots, sums };
}

const isWanted = ({ classIds, lockIds }: Wanted, classId: number, id: number): boolean =>
  (!classIds || classIds.has(classId)) && (!lockIds || lockIds.has(id));

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(values.length * 2);
  longer.set(values);
  return longer;
}

/** Ids of all series as hot as the last that gets a row, or hotter. */
async function candidates({ slots, sums }: Totals, rows: number, turns: Turns): Promise<number[]> {
  if (slots.size <= rows) return [...slots.ids];
  const known = sums.subarray(0, slots.size);
  await turns.next();
  const least = known.toSorted()[slots.size - rows] ?? 0;
  await turns.next();
  return [...slots.ids].filter((_, slot) => (known[slot] ?? 0) >= least);
}

interface Row {
  id: number;
  name: SeriesName;
}

const textOf = ({ namespace, class: lockClass, formatId, lock }: SeriesName): string =>
  [namespace, lockClass, formatId, lock?.db ?? '', lock?.key ?? ''].join('\n');

function hottest(
  { slots, sums }: Totals,
  names: ReadonlyMap<number, SeriesName>,
  rows: number,
): Row[] {
  return [...names]
    .map(([id, name]) => ({ id, name, sum: sums[slots.find(id)] ?? 0, text: textOf(name) }))
    .sort((a, b) => b.sum - a.sum || (a.text < b.text ? -1 : 1))
    .slice(0, rows);
}

/** The cells of some series, filled page by page. */
class HeatGrid {
  readonly cells: Partial<Record<HeatColumn, Float64Array>> = {};
  readonly #query: HeatQuery;
  readonly #steps: number;
  readonly #rows = new IdSlots();
  /** By column: which rows have told it. */
  readonly #told = new Map<HeatColumn, Uint8Array>();

  constructor(query: HeatQuery, ids: readonly number[]) {
    this.#query = query;
    this.#steps = emptyHeat(query).steps;
    for (const id of ids) this.#rows.of(id);
    for (const column of query.columns) {
      this.cells[column] = new Float64Array(ids.length * this.#steps);
      if (isNullable(column)) this.#told.set(column, new Uint8Array(ids.length));
    }
  }

  add(page: SumsPage, { step, spanMs }: StoredPart): void {
    const { from, to, stepMs, columns } = this.#query;
    const first = Math.floor((Math.max(step, from) - from) / stepMs);
    const last = Math.ceil((Math.min(step + spanMs, to) - from) / stepMs);
    const share = Math.min(1, stepMs / spanMs);
    const rows = new Int32Array(page.rows);
    for (let i = 0; i < rows.length; i++) {
      rows[i] = this.#rows.find(page.ids[i] ?? 0) * this.#steps;
    }
    for (const column of columns) {
      for (let at = first; at < last; at++) this.#addColumn(page, column, { rows, at, share });
    }
  }

  /** An untouched cell of a column that may be null is −0, which no sum of figures is. */
  async start(turns: Turns): Promise<void> {
    for (const column of this.#told.keys()) {
      this.cells[column]?.fill(-0);
      if (turns.isDue()) await turns.next();
    }
  }

  /** Tells apart a step of nothing from what was never told. */
  async finish(turns: Turns): Promise<void> {
    for (const [column, told] of this.#told) {
      const cells = this.cells[column] ?? new Float64Array(0);
      for (const [row, isTold] of told.entries()) {
        const [from, to] = [row * this.#steps, (row + 1) * this.#steps];
        if (isTold === 0) cells.fill(Number.NaN, from, to);
        else for (let i = from; i < to; i++) cells[i] = (cells[i] ?? 0) + 0;
        if (turns.isDue()) await turns.next();
      }
    }
  }

  #addColumn(
    page: SumsPage,
    column: HeatColumn,
    { rows, at, share }: { rows: Int32Array; at: number; share: number },
  ): void {
    const cells = this.cells[column];
    if (!cells) return;
    const told = this.#told.get(column);
    const stored = page.heat(column);
    for (const { values, none } of stored) {
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i] ?? -1;
        if (row < 0) continue;
        const value = values[i] ?? 0;
        const cell = row + at;
        if (value === none || Number.isNaN(value)) {
          if (told) this.#unknown(cells, cell);
          continue;
        }
        const known = cells[cell] ?? 0;
        cells[cell] = Number.isNaN(known) ? value * share : known + value * share;
        if (told) told[row / this.#steps] = 1;
      }
    }
    if (!told || stored.length > 0) return;
    for (const row of rows) if (row >= 0) this.#unknown(cells, row + at);
  }

  /** Null where no number was added before. */
  #unknown(cells: Float64Array, cell: number): void {
    if (Object.is(cells[cell], -0)) cells[cell] = Number.NaN;
  }
}
