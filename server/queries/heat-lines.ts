import { pattern } from '@/lib/formats/pattern';
import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { HeatRow } from '@/lib/protocol/measures';
import type { HeatColumn, HeatSums, LockName, SeriesName } from '@/server/store/history-contract';
import { inTurns } from './in-turns';

/** One row of a map before it is measured. */
export interface HeatLine {
  namespace: string;
  /** Null for what is left of a namespace. */
  class: string | null;
  lock: LockName | null;
  owner: string | null;
  /** What is left of the class or namespace, added up. */
  isOthers: boolean;
  /** Classes that were added up. */
  merged: number | null;
  /** A sum for each column, NaN = not known. */
  sums: Float64Array;
  /** All sums added up; below 0 where none is known. */
  heat: number;
  /** Something in it does not tell what the rest does: the sums may be too small. */
  isPartial: boolean;
}

/** Adds what is known; NaN + n = n. */
export function addKnown(into: Float64Array, more: Float64Array): void {
  for (let i = 0; i < into.length; i++) {
    const value = more[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const known = into[i] ?? Number.NaN;
    into[i] = Number.isNaN(known) ? value : known + value;
  }
}

/** Less than nothing: what is known to be calm comes before what nobody can tell. */
const COLDEST = -Number.MIN_VALUE;

export function heatOf(sums: Float64Array): number {
  let heat = 0;
  let isKnown = false;
  for (let i = 0; i < sums.length; i++) {
    const sum = sums[i] ?? Number.NaN;
    if (Number.isNaN(sum)) continue;
    heat += sum;
    isKnown = true;
  }
  return isKnown ? heat : COLDEST;
}

/** Whether anything in it is known. */
export function tells(sums: Float64Array): boolean {
  for (let i = 0; i < sums.length; i++) if (!Number.isNaN(sums[i])) return true;
  return false;
}

export const lineName = ({
  namespace,
  class: lockClass,
  lock,
}: Pick<SeriesName, 'namespace' | 'lock'> & { class: string | null }): string =>
  lock === null
    ? `${namespace}\n${lockClass ?? ''}`
    : `${namespace}\n${lockClass ?? ''}\n${lock.db}\n${lock.key}`;

/** A class or lock whose value was not read yet counts for the library of a pattern: of that nothing is expected. */
const isExpectedToTell = ({ formatId }: SeriesName): boolean => formatId !== pattern.id;

/** One line for each class or lock, whatever libraries write it. Takes over the sums. */
export async function linesOf(
  { series, cells, steps }: HeatSums,
  column: HeatColumn,
): Promise<HeatLine[]> {
  const lines = new Map<string, HeatLine>();
  const silent = new Set<string>();
  const values = cells[column] ?? new Float64Array(series.length * steps).fill(Number.NaN);
  await inTurns(series.entries(), ([row, about]) => {
    const sums = values.subarray(row * steps, (row + 1) * steps);
    const name = lineName(about);
    if (isExpectedToTell(about) && !tells(sums)) silent.add(name);
    const line = lines.get(name);
    if (line) return addKnown(line.sums, sums);
    const { namespace, class: lockClass, lock } = about;
    const place = { namespace, class: lockClass, lock, owner: null, isOthers: false };
    lines.set(name, { ...place, merged: null, sums, heat: 0, isPartial: false });
  });
  await inTurns(lines, ([name, line]) => {
    line.heat = heatOf(line.sums);
    line.isPartial = silent.has(name) && tells(line.sums);
  });
  return [...lines.values()];
}

const OTHERS = 'others';

/** How a line is named on the map. */
export function rowOf(line: HeatLine): HeatRow {
  const { namespace, class: lockClass, lock, owner, isOthers, merged } = line;
  if (isOthers) {
    const path = lockClass === null ? [namespace, OTHERS] : [namespace, lockClass, OTHERS];
    return { label: OTHERS, path, kind: 'others', ...(merged === null ? {} : { merged }) };
  }
  const name = lockClass ?? '';
  if (owner !== null) return { label: owner, path: [namespace, name, owner], kind: 'owner' };
  if (lock === null) return { label: name, path: [namespace, name], kind: 'class' };
  const label = printable(lock.key);
  const keyB64 = toBase64Url(lock.key);
  const path = [namespace, name, label];
  return { label, path, kind: 'lock', lock: { db: lock.db, key: label, keyB64 } };
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What is left of a namespace stands below its classes. */
const compareClasses = (a: string | null, b: string | null): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : compareTexts(a, b);

/** Namespace › class › lock, so that neighbours belong together; what is left comes last of its own. */
export const compareLines = (a: HeatLine, b: HeatLine): number =>
  compareTexts(a.namespace, b.namespace) ||
  compareClasses(a.class, b.class) ||
  Number(a.isOthers) - Number(b.isOthers) ||
  compareTexts(a.lock?.key ?? a.owner ?? '', b.lock?.key ?? b.owner ?? '') ||
  (a.lock?.db ?? 0) - (b.lock?.db ?? 0);

/** The hottest first; ties by place, so that a live map does not swap rows that are as hot. */
export const byHeat = (a: HeatLine, b: HeatLine): number => b.heat - a.heat || compareLines(a, b);
