import type { HoldNote } from '@/lib/protocol/lock';
import type { HoldRecord } from './lock-record';

/**
 * Most holds have no notes, and after a start most have this one: they share a set, which would cost some
 * 230 bytes each. So a set is never changed once a hold has it, only replaced.
 */
const NONE: ReadonlySet<HoldNote> = new Set();
const FOUND_HELD: ReadonlySet<HoldNote> = new Set<HoldNote>(['started-before-watch']);

export function notesOf(notes: Iterable<HoldNote>): ReadonlySet<HoldNote> {
  const own = new Set(notes);
  if (own.size === 0) return NONE;
  return own.size === 1 && own.has('started-before-watch') ? FOUND_HELD : own;
}

export function addNote(hold: HoldRecord, ...notes: HoldNote[]): void {
  if (notes.every((note) => hold.notes.has(note))) return;
  hold.notes = notesOf([...hold.notes, ...notes]);
}

export function removeNote(hold: HoldRecord, note: HoldNote): void {
  if (hold.notes.has(note)) hold.notes = notesOf([...hold.notes].filter((one) => one !== note));
}
