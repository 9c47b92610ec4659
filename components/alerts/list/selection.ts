/** Which alerts are chosen for an act, and where the keyboard is. Ids of alerts. */
export interface Selection {
  chosen: ReadonlySet<string>;
  /** Where the keyboard is. */
  cursor: string | null;
  /** From where a range reaches: what was chosen last. */
  anchor: string | null;
}

export const NOTHING: Selection = { chosen: new Set(), cursor: null, anchor: null };

/** Moves the cursor by `step` within `ids`, the ids in sight in their order; to an end when it is not among them. */
export function moved(selection: Selection, ids: readonly string[], step: number): Selection {
  if (ids.length === 0) return selection;
  const at = selection.cursor === null ? -1 : ids.indexOf(selection.cursor);
  const to = at < 0 ? (step > 0 ? 0 : ids.length - 1) : at + step;
  const cursor = ids[Math.min(ids.length - 1, Math.max(0, to))] ?? null;
  return cursor === selection.cursor ? selection : { ...selection, cursor };
}

export function toggled(selection: Selection, id: string): Selection {
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(id)) chosen.add(id);
  return { ...selection, chosen, anchor: id };
}

/** Chooses all from the anchor to `id`; `id` alone where no anchor is in sight. */
export function reached(selection: Selection, ids: readonly string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : ids.indexOf(selection.anchor);
  const to = ids.indexOf(id);
  if (to < 0) return selection;
  const start = from < 0 ? to : Math.min(from, to);
  const range = ids.slice(start, (from < 0 ? to : Math.max(from, to)) + 1);
  return { ...selection, chosen: new Set([...selection.chosen, ...range]), anchor: id };
}

/** All of `ids`, or none of them where all are chosen already. */
export function allToggled(selection: Selection, ids: readonly string[]): Selection {
  const chosen = new Set(selection.chosen);
  const hasAll = ids.every((id) => chosen.has(id));
  for (const id of ids) {
    if (hasAll) chosen.delete(id);
    else chosen.add(id);
  }
  return { ...selection, chosen, anchor: null };
}

/** What an act is about: the chosen, or the one under the cursor. */
export const actedOn = ({ chosen, cursor }: Selection): string[] =>
  chosen.size > 0 ? [...chosen] : cursor === null ? [] : [cursor];
