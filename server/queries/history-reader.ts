import type {
  BlameQuery,
  BlameRow,
  HeatQuery,
  HeatSums,
  LockName,
  Rollup,
  RollupsQuery,
  SeriesName,
  WaitRow,
  WaitsQuery,
} from '@/server/store/history-contract';
import type { PendingHistory, Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import { addRollup, columnOf, emptySums } from '@/server/store/sums';
import { inTurns } from './in-turns';

/** History of one target as the store keeps it, with what is still on its way there. */
export interface HistoryReader {
  /** One for each series and step, oldest first. */
  rollups: (query: Omit<RollupsQuery, 'target'>) => Promise<Rollup[]>;
  heat: (query: Omit<HeatQuery, 'target'>) => Promise<HeatSums>;
  /** Added up over the range; of the last seconds there are more rows of the same cause. In no order. */
  blame: (query: Omit<BlameQuery, 'target'>) => Promise<BlameRow[]>;
  waits: (query: Omit<WaitsQuery, 'target'>) => Promise<WaitRow[]>;
  /** Start of what is kept of the target; null = nothing is. */
  knownFrom: () => Promise<number | null>;
}

interface Subject {
  namespace?: string;
  class?: string;
  lock?: LockName;
  locks?: readonly LockName[];
}

const lockName = ({ db, key }: LockName): string => `${db}\n${key}`;

/** Whether a series is one that is asked for. */
function askedFor({ namespace, class: lockClass, lock, locks = lock && [lock] }: Subject) {
  const names = locks && new Set(locks.map(lockName));
  return (name: Omit<SeriesName, 'target'>): boolean => {
    if (namespace !== undefined && namespace !== name.namespace) return false;
    if (lockClass !== undefined && lockClass !== name.class) return false;
    return !names || (name.lock !== null && names.has(lockName(name.lock)));
  };
}

const nameOf = ({ class: lockClass, namespace, formatId, lock }: SeriesName): string =>
  [namespace, lockClass, formatId, lock?.db ?? '', lock?.key ?? ''].join('\n');

export function createHistoryReader(options: {
  store: Store;
  recorder: Pick<Recorder, 'pending' | 'whileSettled'>;
  targetId: string;
}): HistoryReader {
  const { store, recorder, targetId: target } = options;

  const pendingRollups = (query: Omit<RollupsQuery, 'target' | 'stepMs' | 'sketches'>) => {
    const pending = recorder.pending();
    const isAsked = askedFor(query);
    const rollups = query.level === 'class' ? pending.classRollups : pending.lockRollups;
    return rollups.filter(
      (rollup) =>
        rollup.step < query.to && rollup.step + rollup.spanMs > query.from && isAsked(rollup),
    );
  };

  return {
    rollups: (query) =>
      recorder.whileSettled(async () => {
        const pending = pendingRollups(query);
        const stored = await store.rollups({ target, ...query });
        return joinRollups(stored, pending, query);
      }),
    heat: (query) =>
      recorder.whileSettled(async () => {
        const pending = pendingRollups(query);
        return joinHeat(await store.heat({ target, ...query }), pending, query);
      }),
    blame: (query) =>
      recorder.whileSettled(async () => {
        const { blame } = recorder.pending();
        const isAsked = askedFor(query);
        const pending = blame.filter(
          (row) => row.step < query.to && row.step + row.spanMs > query.from && isAsked(row),
        );
        return [...(await store.blame({ target, ...query })), ...pending];
      }),
    waits: async (query) => {
      // First: what is written while the store is asked would be in neither.
      const { holds, leftWaits } = recorder.pending();
      return joinWaits(await store.waits({ target, ...query }), { holds, leftWaits }, query);
    },
    knownFrom: () => store.firstRollupAt(target),
  };
}

async function joinRollups(
  stored: readonly Rollup[],
  pending: readonly Rollup[],
  { from, stepMs, sketches }: Omit<RollupsQuery, 'target'>,
): Promise<Rollup[]> {
  if (pending.length === 0) return [...stored];
  const startOf = (step: number): number =>
    stepMs === null ? from : Math.floor(step / stepMs) * stepMs;
  // Only the last steps get more: most of what is stored needs no name.
  const steps = new Set(pending.map(({ step }) => startOf(step)));
  const known = new Map<string, Rollup>();
  await inTurns(stored, (rollup) => {
    if (steps.has(rollup.step)) known.set(`${rollup.step}\n${nameOf(rollup)}`, rollup);
  });
  const added: Rollup[] = [];
  await inTurns(pending, (rollup) => {
    const step = startOf(rollup.step);
    const name = `${step}\n${nameOf(rollup)}`;
    let into = known.get(name);
    if (!into) {
      const spanMs = stepMs ?? rollup.spanMs;
      into = { ...seriesOf(rollup), ...emptySums(), step, spanMs, sketches: {} };
      known.set(name, into);
      added.push(into);
    }
    const wanted = sketches.flatMap((kind) => {
      const bytes = rollup.sketches[kind];
      return bytes ? [[kind, bytes]] : [];
    });
    addRollup(into, { ...rollup, sketches: Object.fromEntries(wanted) });
  });
  return [...stored, ...added].toSorted((a, b) => a.step - b.step);
}

const seriesOf = ({ class: lockClass, namespace, formatId, lock, target }: Rollup): SeriesName => ({
  ...{ target, class: lockClass, namespace, formatId, lock },
});

/**
 * Adds the last seconds to what the store hands over. A series that is in them alone gets a row, unless the store left
 * out some: then it may be one of those, and more is known of it than its row would tell.
 */
function joinHeat(
  heat: HeatSums,
  pending: readonly Rollup[],
  { columns }: Omit<HeatQuery, 'target'>,
): HeatSums {
  if (pending.length === 0) return heat;
  const { steps } = heat;
  const rows = new Map(heat.series.map((series, row) => [nameOf(series), row]));
  const series = [...heat.series];
  for (const rollup of heat.leftOut > 0 ? [] : pending) {
    const name = nameOf(rollup);
    if (rows.has(name)) continue;
    rows.set(name, series.length);
    series.push(seriesOf(rollup));
  }
  const additions = pending.flatMap((rollup) => {
    const row = rows.get(nameOf(rollup));
    const step = Math.floor((rollup.step - heat.from) / heat.stepMs);
    return row === undefined || step < 0 || step >= steps ? [] : [{ rollup, row, step }];
  });
  const cells: HeatSums['cells'] = {};
  for (const column of columns) {
    const grown = withRows(heat.cells[column], series.length * steps);
    cells[column] = grown;
    const told = new Set<number>();
    for (const { rollup, row, step } of additions) {
      const value = columnOf(rollup, column);
      if (value === null) continue;
      if (row >= heat.series.length && !told.has(row))
        grown.fill(0, row * steps, (row + 1) * steps);
      told.add(row);
      const known = grown[row * steps + step] ?? 0;
      grown[row * steps + step] = Number.isNaN(known) ? value : known + value;
    }
  }
  return { ...heat, series, cells };
}

/** Rows that are new have told nothing yet. */
function withRows(cells: Float64Array | undefined, length: number): Float64Array {
  if (cells && cells.length === length) return cells;
  const grown = new Float64Array(length).fill(Number.NaN);
  if (cells) grown.set(cells);
  return grown;
}

const lengthOf = ({ start, end }: WaitRow): number => end - start;

function joinWaits(
  stored: readonly WaitRow[],
  { holds, leftWaits }: Pick<PendingHistory, 'holds' | 'leftWaits'>,
  query: Omit<WaitsQuery, 'target'>,
): WaitRow[] {
  const granted = holds.flatMap((row): WaitRow[] =>
    row.waited === null
      ? []
      : [
          {
            ...row,
            owner: row.past.owner,
            start: row.past.start - row.waited.ms,
            end: row.past.start,
            source: row.waited.source,
            evidence: row.waited.evidence,
            outcome: 'granted',
          },
        ],
  );
  const isAsked = askedFor(query);
  const isWanted = (wait: WaitRow): boolean =>
    isAsked({ ...wait, lock: wait }) &&
    (query.at === undefined
      ? wait.end >= query.from && wait.end < query.to
      : wait.start <= query.at && query.at < wait.end);
  const joined = new Map<string, WaitRow>();
  for (const wait of [...stored, ...[...granted, ...leftWaits].filter(isWanted)]) {
    joined.set(`${wait.db}\n${wait.key}\n${wait.end}\n${wait.owner ?? ''}`, wait);
  }
  const order =
    query.order === 'longest'
      ? (a: WaitRow, b: WaitRow) => lengthOf(b) - lengthOf(a)
      : (a: WaitRow, b: WaitRow) => b.end - a.end;
  return [...joined.values()].toSorted(order).slice(0, query.limit);
}
