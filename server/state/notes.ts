import { HOLD_NOTES } from '@/lib/protocol/closed-sets';
import type { HoldNote } from '@/lib/protocol/lock';
import type { HoldRecord } from './lock-record';

/**
 * Most holds have no notes or one: they share a set, which would cost some 230 bytes each. So a set is never changed
 * once a hold has it, only replaced.
 */
const NONE: ReadonlySet<HoldNote> = new Set();
const ALONE: ReadonlyMap<HoldNote, ReadonlySet<HoldNote>> = new Map(
  HOLD_NOTES.map((note) => [note, new Set([note])]),
);

export function notesOf(notes: readonly HoldNote[]): ReadonlySet<HoldNote> {
  const [first] = notes;
  if (first === undefined) return NONE;
  if (notes.length === 1) return ALONE.get(first) ?? new Set(notes);
  const own = new Set(notes);
  return own.size === 1 ? (ALONE.get(first) ?? own) : own;
}

export function addNote(hold: HoldRecord, ...notes: HoldNote[]): void {
  if (notes.every((note) => hold.notes.has(note))) return;
  if (hold.notes.size === 0) {
    hold.notes = notesOf(notes);
    return;
  }
  hold.notes = notesOf([...hold.notes, ...notes]);
}

export function removeNote(hold: HoldRecord, note: HoldNote): void {
  if (hold.notes.has(note)) hold.notes = notesOf([...hold.notes].filter((one) => one !== note));
}
