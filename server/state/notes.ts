import type { HoldNote } from '@/lib/protocol/lock';
import type { HoldRecord } from './lock-record';

/** Most holds have no notes: they share one empty set, which costs a hundred bytes less each. */
const NONE: Set<HoldNote> = Object.freeze(new Set<HoldNote>());

export const notesOf = (notes: readonly HoldNote[]): Set<HoldNote> =>
  notes.length === 0 ? NONE : new Set(notes);

export function addNote(hold: HoldRecord, ...notes: HoldNote[]): void {
  if (hold.notes === NONE) hold.notes = new Set(notes);
  else for (const note of notes) hold.notes.add(note);
}

export function removeNote(hold: HoldRecord, note: HoldNote): void {
  if (hold.notes !== NONE) hold.notes.delete(note);
}
