import type { HeatRow } from '@/lib/protocol/measures';

/**
 * A label at the left: neighbouring rows with the same path down to `level` are one block. A row's own
 * label, the last part of its path, is a block of one row.
 */
export interface LabelBlock {
  level: number;
  /** Down to this level. */
  path: readonly string[];
  from: number;
  /** Exclusive. */
  to: number;
  /** The row whose own label this is; null for a block of rows. */
  row: HeatRow | null;
}

/** The blocks of each level from the namespace on, in the order of the rows. */
export function labelTree(rows: readonly HeatRow[]): LabelBlock[][] {
  const depth = Math.max(1, ...rows.map((row) => row.path.length));
  const levels: LabelBlock[][] = Array.from({ length: depth }, () => []);
  rows.forEach((row, index) => {
    row.path.forEach((_, level) => {
      const blocks = levels[level];
      const isOwn = level === row.path.length - 1;
      const last = blocks?.at(-1);
      const path = row.path.slice(0, level + 1);
      if (!isOwn && last?.row === null && isSamePath(last.path, path)) last.to = index + 1;
      else blocks?.push({ level, path, from: index, to: index + 1, row: isOwn ? row : null });
    });
  });
  return levels;
}

export const isSamePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);

/** What identifies a row between two answers. */
export function rowName(row: HeatRow): string {
  return JSON.stringify([row.kind, row.path, row.lock?.db, row.lock?.keyB64]);
}

/** What a drill-down into a block shows: a namespace, or a class of one. */
export interface Subject {
  namespace: string | null;
  class: string | null;
}

/**
 * Where a press on a label leads: into the namespace, or the class, of that name. Null for the label of a
 * lock or owner, and of what one already is inside of.
 */
export function subjectOf(block: LabelBlock, shown: Subject): Subject | null {
  const isRest = block.row?.kind === 'others';
  const names = isRest ? block.path.slice(0, -1) : block.path;
  const [namespace, name] = names;
  if (namespace === undefined || names.length > 2) return null;
  if (name !== undefined) return shown.class === name ? null : { namespace, class: name };
  return shown.namespace === namespace ? null : { namespace, class: null };
}

/**
 * The narrowest namespace or class that all rows of a stretch are of, if that is narrower than what is
 * shown; null otherwise. `to` is exclusive.
 */
export function commonSubject(
  rows: readonly HeatRow[],
  span: { from: number; to: number },
  shown: Subject,
): Subject | null {
  const chosen = rows.slice(Math.max(0, Math.floor(span.from)), Math.ceil(span.to));
  const parts = chosen.map((row) => (row.kind === 'others' ? row.path.slice(0, -1) : row.path));
  const [namespace, name] = parts[0] ?? [];
  if (namespace === undefined || parts.some((path) => path[0] !== namespace)) return null;
  const isOneClass = name !== undefined && parts.every((path) => path[1] === name);
  if (isOneClass && shown.class !== name) return { namespace, class: name };
  return shown.namespace === namespace || shown.class !== null ? null : { namespace, class: null };
}
