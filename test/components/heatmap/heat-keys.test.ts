import type { KeyboardEvent } from 'react';
import { describe, expect, it } from 'vitest';
import { heatKeys } from '@/components/heatmap/heat-keys';

const GRID = { rows: 3, columns: [0, 10, 20] };
const CELL = { row: 1, column: 1 };

/** What pressing a key on the map did, and whether the page was kept from hearing of it. */
function press(
  key: string,
  cursor: typeof CELL | null = CELL,
  { ctrlKey = false, isPinned = true } = {},
): unknown[] {
  const done: unknown[] = [];
  const tell =
    (act: string) =>
    (...args: unknown[]): void =>
      void done.push(act, ...args);
  const acts = { move: tell('move'), pin: tell('pin'), back: tell('back'), reset: tell('reset') };
  const event = {
    ...{ key, ctrlKey, metaKey: false, altKey: false },
    preventDefault: () => undefined,
    stopPropagation: tell('kept'),
  } as Partial<KeyboardEvent> as KeyboardEvent;
  heatKeys(GRID, { ...acts, cursor, isPinned, zoom: tell('zoom') })(event);
  return done;
}

describe('a key on the map', () => {
  it.each([
    ['ArrowUp', ['kept', 'move', { row: 0, column: 1 }]],
    ['Enter', ['kept', 'pin', CELL]],
    ['Escape', ['kept', 'pin', null]],
    ['Backspace', ['kept', 'back']],
    ['r', ['kept', 'reset']],
    ['+', ['kept', 'zoom', 0.6]],
    ['-', ['kept', 'zoom', 1 / 0.6]],
    ['q', []],
  ])('%s does %j', (key, done) => {
    expect(press(key)).toEqual(done);
  });

  it('starts at the newest cell of the first row', () => {
    expect(press('Enter', null)).toEqual(['kept', 'pin', { row: 0, column: 2 }]);
  });

  it('is left to the browser together with Ctrl', () => {
    expect(press('r', CELL, { ctrlKey: true })).toEqual([]);
  });

  it('leaves Escape to the page where nothing is pinned', () => {
    expect(press('Escape', CELL, { isPinned: false })).toEqual([]);
  });
});
