/**
 * Generic difference of two JSON values, small enough to send for every change. `undefined` members count
 * as absent. What a patch does not touch keeps its object identity, so that memoised components skip it.
 */
export type Patch =
  | { set: unknown }
  /** Members changed, added or dropped; pairs, so that no member name is special. */
  | { members: [string, Patch][]; drop?: string[] }
  /** The new array as pieces of the old one and new items. */
  | { list: ListPiece[] };

export type ListPiece =
  /** `count` items of the old array from `index` on, as they are. */
  | { copy: [index: number, count: number] }
  | { edit: [index: number, patch: Patch] }
  | { add: unknown[] };

type JsonObject = Record<string, unknown>;
type Identity = string | number;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that name an object within its list, the most specific first. */
const IDENTITY_MEMBERS = ['id', 'seq', 'addr', 'label', 'class', 'generation', 'at', 'le', 'from'];
/** Farthest move of a list of plain values that is looked for: two columns of a chart scrolling. */
const MAX_SHIFT = 2;

function identityOf(item: unknown): Identity | undefined {
  // As it is: a prefix would copy texts of many kilobytes, and whatever two items share, they are compared all the same.
  if (typeof item === 'string' || typeof item === 'number') return item;
  if (!isObject(item)) return undefined;
  if (typeof item.keyB64 === 'string') return `${item.db}:${item.keyB64}:${item.generation ?? ''}`;
  for (const name of IDENTITY_MEMBERS) {
    const value = item[name];
    if (typeof value === 'string' || typeof value === 'number') return `${name}:${value}`;
  }
  return undefined;
}

/** Position by identity of the items at `places`, or null when one has none or shares it. */
function indexByIdentity(
  items: readonly unknown[],
  places: readonly number[],
): Map<Identity, number> | null {
  const positions = new Map<Identity, number>();
  for (const index of places) {
    const item = items[index];
    const identity = identityOf(item);
    if (identity === undefined || positions.has(identity)) return null;
    positions.set(identity, index);
  }
  return positions;
}

/** How far a list of plain values moved to the left: the shift under which most items agree. */
function bestShift(previous: readonly unknown[], next: readonly unknown[]): number {
  if (isObject(next[0])) return 0;
  let best = { shift: 0, same: -1 };
  for (let shift = 0; shift <= MAX_SHIFT; shift++) {
    let same = 0;
    for (let i = 0; i + shift < previous.length && i < next.length; i++) {
      if (previous[i + shift] === next[i]) same++;
    }
    if (same > best.same) best = { shift, same };
  }
  return best.shift;
}

/** So far is looked ahead for where a list goes on behind items that have left. */
const LOOK_AHEAD = 8;

/** What of two lists is one object in both, met in order, and the places of all else. */
interface Kept {
  /** For each item of the later list its place in the earlier one, or -1. */
  from: number[];
  left: number[];
  come: number[];
}

function keptObjects(previous: readonly unknown[], next: readonly unknown[]): Kept {
  const kept: Kept = { from: [], left: [], come: [] };
  let expected = 0;
  for (let i = 0; i < next.length; i++) {
    const item = next[i];
    const to = isObject(item) ? Math.min(previous.length, expected + LOOK_AHEAD) : expected;
    let at = expected;
    while (at < to && previous[at] !== item) at++;
    kept.from.push(at < to ? at : -1);
    if (at >= to) kept.come.push(i);
    else {
      while (expected < at) kept.left.push(expected++);
      expected++;
    }
  }
  while (expected < previous.length) kept.left.push(expected++);
  return kept;
}

/**
 * For each item of `next`, the index in `previous` it continues, or -1. In a long list most objects are the very ones
 * that they were: they need no name to be known by.
 */
function matchItems(previous: readonly unknown[], next: readonly unknown[]): number[] {
  const { from, left, come } = keptObjects(previous, next);
  const before = indexByIdentity(previous, left);
  const after = before && indexByIdentity(next, come);
  if (before && after) {
    for (const [identity, i] of after) from[i] = before.get(identity) ?? -1;
    return from;
  }
  const shift = bestShift(previous, next);
  return next.map((_, i) => (i + shift < previous.length ? i + shift : -1));
}

function appendCopy(pieces: ListPiece[], index: number): void {
  const last = pieces.at(-1);
  if (last && 'copy' in last && last.copy[0] + last.copy[1] === index) last.copy[1]++;
  else pieces.push({ copy: [index, 1] });
}

function appendNew(pieces: ListPiece[], item: unknown): void {
  const last = pieces.at(-1);
  if (last && 'add' in last) last.add.push(item);
  else pieces.push({ add: [item] });
}

function makeListPatch(previous: readonly unknown[], next: readonly unknown[]): Patch | null {
  const pieces: ListPiece[] = [];
  let changed = previous.length !== next.length;
  for (const [i, from] of matchItems(previous, next).entries()) {
    const patch = from < 0 ? { set: next[i] } : makePatch(previous[from], next[i]);
    if (!patch) appendCopy(pieces, from);
    else if ('set' in patch) appendNew(pieces, patch.set);
    else pieces.push({ edit: [from, patch] });
    changed ||= patch !== null || from !== i;
  }
  return changed ? { list: pieces } : null;
}

function makeMembersPatch(previous: JsonObject, next: JsonObject): Patch | null {
  const members: [string, Patch][] = [];
  const drop: string[] = [];
  for (const name of Object.keys(next)) {
    if (next[name] === undefined) continue;
    const had = Object.hasOwn(previous, name) && previous[name] !== undefined;
    const patch = had ? makePatch(previous[name], next[name]) : { set: next[name] };
    if (patch) members.push([name, patch]);
  }
  for (const name of Object.keys(previous)) {
    if (previous[name] === undefined) continue;
    if (!Object.hasOwn(next, name) || next[name] === undefined) drop.push(name);
  }
  if (members.length === 0 && drop.length === 0) return null;
  return drop.length > 0 ? { members, drop } : { members };
}

/** The patch that turns `previous` into `next`; null when they are equal as JSON. */
export function makePatch(previous: unknown, next: unknown): Patch | null {
  if (Object.is(previous, next)) return null;
  if (Array.isArray(previous) && Array.isArray(next)) return makeListPatch(previous, next);
  if (isObject(previous) && isObject(next)) return makeMembersPatch(previous, next);
  return previous === next ? null : { set: next ?? null };
}

function applyMembers(previous: unknown, patch: Extract<Patch, { members: unknown }>): JsonObject {
  if (!isObject(previous)) throw new Error('a patch of members met a value that has none');
  const next = new Map(Object.entries(previous));
  for (const name of patch.drop ?? []) next.delete(name);
  for (const [name, change] of patch.members) {
    next.set(name, applyPatch(Object.hasOwn(previous, name) ? previous[name] : undefined, change));
  }
  return Object.fromEntries(next);
}

function applyList(previous: unknown, pieces: readonly ListPiece[]): unknown[] {
  if (!Array.isArray(previous)) throw new Error('a patch of a list met a value that is none');
  const next: unknown[] = [];
  for (const piece of pieces) {
    if ('add' in piece) for (const item of piece.add) next.push(item);
    else if ('edit' in piece) next.push(applyPatch(previous[piece.edit[0]], piece.edit[1]));
    else {
      const [index, count] = piece.copy;
      if (index + count > previous.length) throw new Error('a patch copies past the end of a list');
      for (let i = index; i < index + count; i++) next.push(previous[i]);
    }
  }
  return next;
}

/**
 * `previous` with the patch applied; neither argument is changed. Throws when the patch was made for a
 * value of another shape: the caller then asks for a snapshot.
 */
export function applyPatch(previous: unknown, patch: Patch): unknown {
  if ('set' in patch) return patch.set;
  if ('members' in patch) return applyMembers(previous, patch);
  return applyList(previous, patch.list);
}
