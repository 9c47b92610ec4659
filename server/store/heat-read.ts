import type { Kysely } from 'kysely';
import { HeatCells } from './heat-cells';
import type { HeatQuery, HeatSums, SeriesName } from './history-contract';
import { partsOf, type StoredPart } from './page-reader';
import { IdSlots } from './pages/id-slots';
import { decodeSums, type SumsPage } from './pages/sums-page';
import { planRuns, type Run } from './read-plan';
import type { Reading } from './rollups-read';
import type { Schema } from './schema';
import { inOneView, targetIdOf, wantedSeries, type Wanted } from './series-names';
import { readTierStates } from './tier-states';
import { createTurns, sortedInTurns, type Turns } from './turns';

type IsWanted = (id: number, classId: number) => boolean;

interface Scan {
  db: Kysely<Schema>;
  targetId: number;
  runs: readonly Run[];
  query: HeatQuery & { steps: number };
  /** Null = all. */
  isWanted: IsWanted | null;
  turns: Turns;
}

/**
 * Sums by series and step. Where there are no more series than rows the pages are read once; otherwise twice, first
 * for how hot each series is, so that a range with many locks takes no more memory than its answer. A step longer
 * than the answer's is spread evenly over the columns that it lies in.
 */
export async function readHeat(
  { backend, names, tiers }: Reading,
  asked: HeatQuery,
): Promise<HeatSums> {
  const { from, to, stepMs } = asked;
  const query = { ...asked, steps: Math.max(0, Math.ceil((to - from) / stepMs)) };
  return await inOneView(backend, async (db) => {
    const targetId = await targetIdOf(db, query.target);
    if (targetId === null) return emptyHeat(query);
    const wanted = await wantedSeries(db, targetId, query);
    const runs = planRuns(await readTierStates(db, targetId, tiers), query);
    const turns = createTurns();
    const scan = { db, targetId, runs, query, isWanted: wantedIn(query, wanted), turns };
    const count = await countSeries(db, targetId, query);
    const chosen = count <= query.rows ? { series: count, leftOut: 0 } : await hottestIds(scan);
    const cells = new HeatCells(query, chosen.series, scan.isWanted);
    await cells.start(turns);
    await forEachPage(scan, (page, part) => cells.add(page, part));
    const totals = await cells.totals(turns);
    const nameOf = await names.of(db, [...cells.ids]);
    await turns.next();
    const rows = await sortedInTurns(rowsOf(cells.ids, totals, nameOf), hottestFirst, turns);
    return {
      ...emptyHeat(query),
      series: rows.map(({ name }) => name),
      cells: await cells.rows(
        rows.map(({ slot }) => slot),
        turns,
      ),
      leftOut: chosen.leftOut,
    };
  });
}

function emptyHeat({ from, stepMs, steps, columns }: Scan['query']): HeatSums {
  const cells = Object.fromEntries(columns.map((column) => [column, new Float64Array(0)]));
  return { from, stepMs, steps, series: [], cells, leftOut: 0 };
}

function wantedIn({ level }: HeatQuery, { classIds, lockIds }: Wanted): IsWanted | null {
  if (!classIds && !lockIds) return null;
  return (id, classId) =>
    (!classIds || classIds.has(level === 'class' ? id : classId)) && (!lockIds || lockIds.has(id));
}

/** How many series there may be, counted no further than it matters. */
async function countSeries(
  db: Kysely<Schema>,
  targetId: number,
  { level, rows }: HeatQuery,
): Promise<number> {
  const some = db
    .selectFrom('series')
    .select('id')
    .where('target_id', '=', targetId)
    .where('lock_id', level === 'class' ? 'is' : 'is not', null)
    .limit(rows + 1);
  const { count } = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
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

/** As many series as there are rows: those with the greatest sums of the first column. */
async function hottestIds(scan: Scan): Promise<{ series: number[]; leftOut: number }> {
  const { query, turns } = scan;
  const { slots, sums } = await sumsOf(scan);
  if (slots.size <= query.rows) return { series: [...slots.ids], leftOut: 0 };
  await turns.next();
  const ascending = sums.toSorted();
  await turns.next();
  const least = ascending[slots.size - query.rows] ?? 0;
  let room = query.rows - ascending.reduce((count, sum) => (sum > least ? count + 1 : count), 0);
  const series = [...slots.ids].filter((_, slot) => {
    const sum = sums[slot] ?? 0;
    return sum > least || (sum === least && room-- > 0);
  });
  return { series, leftOut: slots.size - series.length };
}

/** Of the first column, by slot. */
async function sumsOf(scan: Scan): Promise<{ slots: IdSlots; sums: Float64Array }> {
  const { query, isWanted } = scan;
  const [first] = query.columns;
  const slots = new IdSlots();
  let sums = new Float64Array(1024);
  await forEachPage(scan, (page) => {
    const columns = first === undefined ? [] : page.heat(first);
    const { ids, classIds, rows } = page;
    for (let i = 0; i < rows; i++) {
      const id = ids[i] ?? 0;
      if (isWanted && !isWanted(id, classIds?.[i] ?? 0)) continue;
      const slot = slots.of(id);
      if (slot >= sums.length) sums = grown(sums);
      for (const { values, none } of columns) {
        const value = values[i] ?? 0;
        if (value !== none && !Number.isNaN(value)) sums[slot] = (sums[slot] ?? 0) + value;
      }
    }
  });
  return { slots, sums: sums.slice(0, slots.size) };
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(values.length * 2);
  longer.set(values);
  return longer;
}

interface Row {
  slot: number;
  sum: number;
  name: SeriesName;
}

function rowsOf(
  ids: Uint32Array,
  totals: Float64Array,
  names: ReadonlyMap<number, SeriesName>,
): Row[] {
  const rows: Row[] = [];
  for (const [slot, id] of ids.entries()) {
    const name = names.get(id);
    if (name) rows.push({ slot, sum: totals[slot] ?? 0, name });
  }
  return rows;
}

/** Of equal sums by name. */
const hottestFirst = (a: Row, b: Row): number => b.sum - a.sum || compareNames(a.name, b.name);

function compareNames(a: SeriesName, b: SeriesName): number {
  const [one, other] = [a, b].map(({ namespace, class: lockClass, formatId, lock }) =>
    [namespace, lockClass, formatId, lock?.db ?? '', lock?.key ?? ''].join('\n'),
  );
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
