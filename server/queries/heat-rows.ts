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

/**
 * How many of the lines, the hottest first, stay when each namespace of the others takes one row more; and the
 * namespaces that get one.
 */
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

/** Lines of one namespace, at least one, as one line. */
function mergedLine(lines: readonly HeatLine[], countsMerged: boolean): HeatLine {
  const [first] = lines;
  const sums = new Float64Array(first?.sums.length ?? 0).fill(Number.NaN);
  for (const line of lines) addKnown(sums, line.sums);
  const telling = lines.filter((line) => tells(line.sums)).length;
  return {
    ...{ namespace: first?.namespace ?? '', class: null, lock: null, owner: null, isOthers: true },
    merged: countsMerged ? lines.length : null,
    sums,
    heat: heatOf(sums),
    isPartial: lines.some((line) => line.isPartial) || (telling > 0 && telling < lines.length),
  };
}

/**
 * Of lines that are classes, or what is left of classes: the hottest as they are, the others of each namespace as one,
 * which a single one does not need.
 * Where there are more namespaces than rows for them, the coldest are not shown.
 */
export async function foldClasses(
  classes: readonly HeatLine[],
  limit: number,
): Promise<ShownLines> {
  const sorted = classes.toSorted(byHeat);
  const kept = keptOf(sorted, limit);
  const countsMerged = !classes.some(({ isOthers }) => isOthers);
  const cold = Map.groupBy(sorted.slice(kept), ({ namespace }) => namespace);
  const others: HeatLine[] = [];
  await inTurns(cold.values(), (lines) => {
    const [first] = lines;
    if (first) others.push(lines.length === 1 ? first : mergedLine(lines, countsMerged));
  });
  const shown = [...sorted.slice(0, kept), ...others.toSorted(byHeat).slice(0, limit - kept)];
  const known = new Set(classes);
  const oneByOne = shown.filter((line) => known.has(line)).length;
  return { lines: shown.toSorted(compareLines), leftOut: classes.length - oneByOne };
}

/** What the class did without these locks; null when that is nothing. */
function remainderOf(whole: HeatLine, locks: readonly HeatLine[]): HeatLine | null {
  if (!tells(whole.sums)) {
    return locks.length > 0 ? null : { ...whole, isOthers: true };
  }
  const sums = whole.sums.slice();
  for (const { sums: taken } of locks) {
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) - (taken[i] || 0);
  }
  let isNothing = true;
  for (let i = 0; i < sums.length; i++) {
    const rest = sums[i] ?? 0;
    // What is below zero was told of a lock a moment later than of its class.
    if (rest <= ROUNDING * (whole.sums[i] ?? 0)) sums[i] = 0;
    else if (rest > 0) isNothing = false;
  }
  return isNothing ? null : { ...whole, isOthers: true, sums, heat: heatOf(sums) };
}

const classOf = ({ namespace, class: lockClass }: HeatLine): string =>
  `${namespace}\n${lockClass ?? ''}`;

async function remaindersOf(
  classes: readonly HeatLine[],
  shown: readonly HeatLine[],
): Promise<HeatLine[]> {
  const locks = Map.groupBy(shown, classOf);
  const rest: HeatLine[] = [];
  await inTurns(classes, (whole) => {
    const line = remainderOf(whole, locks.get(classOf(whole)) ?? []);
    if (line) rest.push(line);
  });
  return rest;
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
