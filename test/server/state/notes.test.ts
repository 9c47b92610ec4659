import { describe, expect, it } from 'vitest';
import { addNote, notesOf, removeNote } from '@/server/state/notes';
import { aHold } from '@/test/support/records';

describe('the notes of a hold', () => {
  it('are its own although holds share the same set', () => {
    const found = ['started-before-watch'] as const;
    const [one, other] = [
      aHold('a', { notes: notesOf(found) }),
      aHold('b', { notes: notesOf(found) }),
    ];
    expect(one.notes).toBe(other.notes);
    addNote(one, 'overrun');
    removeNote(one, 'started-before-watch');
    expect([...one.notes]).toEqual(['overrun']);
    expect([...other.notes]).toEqual(['started-before-watch']);
    removeNote(one, 'overrun');
    expect([...one.notes]).toEqual([]);
    expect([...notesOf([])]).toEqual([]);
  });
});
