import { addKnown, byHeat, compareLines, heatOf, tells, type HeatLine } from './heat-lines';
import { inTurns } from './in-turns';

export interface ShownLines {
  /** In the order of the map. */
  lines: HeatLine[];
  /** Lines that are not shown one by one. */
  leftOut: number;
}

/** A remainder below this share of what it was taken from is what is left of rounding. */
const ROUNDING = 1e-9;

/** The most rows of `limit` that may go to what is merged: the hot ones are what the map is for. */
const mostOthers = (limit: number): number => Math.floor(limit / 2);

/** How many of the lines, the hottest first, stay when each namespace of the others takes one row more. */
function keptOf(sorted: readonly HeatLine[], limit: number): number {
  if (sorted.length <= limit) return sorted.length;
  const behind = new Set<string>();
  let kept = sorted.length;
  while (kept > 0) {
    const total = kept + Math.min(behind.size, mostOthers(limit));
    if (total <= limit) return kept;
    kept--;
    const cold = sorted[kept];
    if (cold) behind.add(cold.namespace);
  }
  return kept;
}

/** Lines of one namespace, to which their sums are to be added. */
function emptyOthers(lines: readonly HeatLine[], namespace: string): HeatLine {
  const telling = lines.filter(({ sums }) => tells(sums)).length;
  return {
    ...{ namespace, class: null, lock: null, owner: null, isOthers: true },
    merged: lines.some(({ isOthers }) => isOthers) ? null : lines.length,
    sums: new Float64Array(lines[0]?.sums.length ?? 0).fill(Number.NaN),
    heat: lines.reduce((heat, line) => heat + line.heat, 0),
    isPartial: lines.some((line) => line.isPartial) || (telling > 0 && telling < lines.length),
  };
}

/** Lines as one for each namespace; a single one of its namespace stays what it is. */
async function mergeByNamespace(cold: readonly HeatLine[]): Promise<HeatLine[]> {
  const merged = new Map<string, HeatLine>();
  for (const [namespace, lines] of Map.groupBy(cold, (line) => line.namespace)) {
    const [first] = lines;
    merged.set(namespace, first && lines.length === 1 ? first : emptyOthers(lines, namespace));
  }
  await inTurns(cold, (line) => {
    const into = merged.get(line.namespace);
    if (into && into !== line) addKnown(into.sums, line.sums);
  });
  return [...merged.values()];
}

/**
 * Of lines that are classes, or what is left of classes: the hottest as they are, the others of each namespace as one,
 * which a single one does not need. Where there are more namespaces than rows for them, the coldest are not shown.
 */
export async function foldClasses(
  classes: readonly HeatLine[],
  limit: number,
): Promise<ShownLines> {
  const sorted = classes.toSorted(byHeat);
  const kept = keptOf(sorted, limit);
  const others = await mergeByNamespace(sorted.slice(kept));
  const shown = [...sorted.slice(0, kept), ...others.toSorted(byHeat).slice(0, limit - kept)];
  const known = new Set(classes);
  const oneByOne = shown.filter((line) => known.has(line)).length;
  return { lines: shown.toSorted(compareLines), leftOut: classes.length - oneByOne };
}

const classOf = ({ namespace, class: lockClass }: HeatLine): string =>
  `${namespace}\n${lockClass ?? ''}`;

/** What each class did without these locks; a class of which nothing is left has none. */
async function remaindersOf(
  classes: readonly HeatLine[],
  shown: readonly HeatLine[],
): Promise<HeatLine[]> {
  const rests = new Map<string, { whole: HeatLine; sums: Float64Array; hasRows: boolean }>();
  await inTurns(classes, (whole) =>
    rests.set(classOf(whole), { whole, sums: whole.sums.slice(), hasRows: false }),
  );
  await inTurns(shown, (line) => {
    const rest = rests.get(classOf(line));
    if (!rest) return;
    rest.hasRows = true;
    const { sums } = rest;
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) - (line.sums[i] || 0);
  });
  const left: HeatLine[] = [];
  await inTurns(rests.values(), ({ whole, sums, hasRows }) => {
    const isLeft = tells(sums) ? clearRounding(sums, whole.sums) : !hasRows;
    if (isLeft) left.push({ ...whole, isOthers: true, sums, heat: heatOf(sums) });
  });
  return left;
}

/** Makes zero of what is left of rounding, and of what was told of a lock before it was of its class; false = nothing else. */
function clearRounding(sums: Float64Array, wholes: Float64Array): boolean {
  let isAnything = false;
  for (let i = 0; i < sums.length; i++) {
    const rest = sums[i] ?? 0;
    if (rest <= ROUNDING * (wholes[i] ?? 0)) sums[i] = 0;
    else if (rest > 0) isAnything = true;
  }
  return isAnything;
}

/**
 * The hottest locks as they are, and of each class what is left of it; of classes beyond the limit, what is left of
 * their namespace.
 */
export async function foldLocks(
  locks: readonly HeatLine[],
  classes: readonly HeatLine[],
  limit: number,
): Promise<ShownLines> {
  const sorted = locks.toSorted(byHeat);
  let shown = sorted.slice(0, limit);
  let rest = await remaindersOf(classes, shown);
  if (shown.length + rest.length > limit) {
    shown = sorted.slice(0, limit - Math.min(mostOthers(limit), classes.length));
    rest = await remaindersOf(classes, shown);
  }
  const others = await foldClasses(rest, limit - shown.length);
  return {
    lines: [...shown, ...others.lines].toSorted(compareLines),
    leftOut: locks.length - shown.length,
  };
}
