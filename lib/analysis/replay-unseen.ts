import { heldTogether } from './replay-group';
import type { RecordedHold } from './replay-record';

/** The last to end of those that lie within `outer`; `candidates` oldest first. */
function lastWithin(
  outer: RecordedHold,
  candidates: readonly RecordedHold[],
): RecordedHold | undefined {
  let low = 0;
  for (let high = candidates.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((candidates[middle]?.start ?? 0) < outer.start) low = middle + 1;
    else high = middle;
  }
  let last: RecordedHold | undefined;
  for (let i = low; i < candidates.length; i++) {
    const hold = candidates[i];
    if (!hold || hold.start > outer.end) break;
    const isUnseen = hold.owner === null || outer.owner === null;
    if (isUnseen && hold.end <= outer.end && hold.end >= (last?.end ?? 0)) last = hold;
  }
  return last;
}

/**
 * Of holds too short to be read nobody knows the owner. Where inner locks are as a rule taken inside outer ones, an outer
 * hold without an inner one is given the last that lies within it, if the owner of either was not seen: it is released
 * right before. Both then have one owner.
 */
export function withOwners(
  holds: readonly RecordedHold[],
  isOuter: (hold: RecordedHold) => boolean,
): RecordedHold[] {
  const alone = heldTogether(holds).flatMap(({ holds: [hold, ...others] }) =>
    hold && others.length === 0 ? [hold] : [],
  );
  const [outers, inners] = [alone.filter(isOuter), alone.filter((hold) => !isOuter(hold))];
  const owners = new Map<RecordedHold, string>();
  for (const [index, outer] of outers.entries()) {
    const free = lastWithin(outer, inners);
    if (!free || owners.has(free)) continue;
    const owner = outer.owner ?? free.owner ?? `unseen ${index}`;
    owners.set(outer, owner).set(free, owner);
  }
  return holds.map((hold) => {
    const owner = owners.get(hold);
    return owner === undefined ? hold : { ...hold, owner };
  });
}
