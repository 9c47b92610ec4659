import { describe, expect, it } from 'vitest';
import {
  actedOn,
  allToggled,
  moved,
  NOTHING,
  reached,
  toggled,
} from '@/components/alerts/list/selection';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const chosenOf = ({ chosen }: { chosen: ReadonlySet<string> }) => [...chosen].sort();

describe('the cursor in a list of alerts', () => {
  it('begins at the end it comes from, and stops at the ends', () => {
    expect(moved(NOTHING, IDS, 1).cursor).toBe('a');
    expect(moved(NOTHING, IDS, -1).cursor).toBe('e');
    expect(moved({ ...NOTHING, cursor: 'e' }, IDS, 1).cursor).toBe('e');
    expect(moved({ ...NOTHING, cursor: 'a' }, IDS, -1).cursor).toBe('a');
    expect(moved(NOTHING, [], 1)).toBe(NOTHING);
  });

  it('starts anew when its row is gone', () => {
    expect(moved({ ...NOTHING, cursor: 'gone' }, IDS, 1).cursor).toBe('a');
  });
});

describe('choosing alerts', () => {
  it('takes one and gives it back', () => {
    const one = toggled(NOTHING, 'b');
    expect(chosenOf(one)).toEqual(['b']);
    expect(chosenOf(toggled(one, 'b'))).toEqual([]);
  });

  it('reaches from the last one chosen to another, in either direction', () => {
    expect(chosenOf(reached(toggled(NOTHING, 'd'), IDS, 'b'))).toEqual(['b', 'c', 'd']);
    expect(chosenOf(reached(toggled(NOTHING, 'b'), IDS, 'd'))).toEqual(['b', 'c', 'd']);
  });

  it('reaches one alone where nothing was chosen before, or where that is out of sight', () => {
    expect(chosenOf(reached(NOTHING, IDS, 'c'))).toEqual(['c']);
    expect(chosenOf(reached(toggled(NOTHING, 'gone'), IDS, 'c'))).toEqual(['c', 'gone']);
  });

  it('takes all, and none where all are chosen', () => {
    const all = allToggled(toggled(NOTHING, 'b'), IDS);
    expect(chosenOf(all)).toEqual(IDS);
    expect(chosenOf(allToggled(all, IDS))).toEqual([]);
  });

  it('acts on the chosen, and on the row under the cursor where none is', () => {
    expect(actedOn({ ...NOTHING, cursor: 'c' })).toEqual(['c']);
    expect(actedOn({ ...toggled(NOTHING, 'b'), cursor: 'c' })).toEqual(['b']);
    expect(actedOn(NOTHING)).toEqual([]);
  });
});
