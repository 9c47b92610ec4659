import { copyOf, leave, waits, type World } from './world';

const ownersOf = ({ owners }: World): number[] => Array.from({ length: owners }, (_, i) => i);

/** Takes these owners out of everything, as if they had never come. */
export function without(world: World, gone: Iterable<number>): World {
  const rest = copyOf(world);
  for (const owner of gone) for (const lock of rest.locks) leave(lock, owner);
  return rest;
}

/**
 * Who waits for ever, by playing it: whoever does not wait finishes and lets go of all that it holds, the queues move
 * up, and so on until nobody is left who could finish. Knows nothing of graphs.
 */
export function leftWaiting(world: World): number[] {
  const rest = copyOf(world);
  let left = ownersOf(rest);
  for (let hasMoved = true; hasMoved;) {
    const able = left.filter((owner) => !waits(rest, owner));
    hasMoved = able.length > 0;
    left = left.filter((owner) => !able.includes(owner));
    for (const owner of able) for (const lock of rest.locks) leave(lock, owner);
  }
  return left;
}

/** Whether these stay stuck although everybody else lets go of everything and waits no more. */
export function blockEachOther(world: World, owners: readonly number[]): boolean {
  const others = ownersOf(world).filter((owner) => !owners.includes(owner));
  const left = leftWaiting(without(world, others));
  return owners.every((owner) => left.includes(owner));
}

const nameOf = ({ locks }: World): string =>
  locks
    .map(({ holders, queue }) =>
      [holders.map(({ owner }) => owner).toSorted(), queue.map(({ owner }) => owner)].join('|'),
    )
    .join(' ');

/**
 * The same by search through every order in which owners may finish: who finishes in some order, and whether all
 * orders end alike. For few owners.
 */
export function searchedLeftWaiting(world: World): { left: number[]; isOrderFree: boolean } {
  const canFinish = new Set<number>();
  const ends = new Set<string>();
  const seen = new Set<string>();
  const visit = (state: World, present: readonly number[]): void => {
    const name = `${present.join()} ${nameOf(state)}`;
    if (seen.has(name)) return;
    seen.add(name);
    const able = present.filter((owner) => !waits(state, owner));
    if (able.length === 0) ends.add(present.join());
    for (const owner of able) {
      canFinish.add(owner);
      visit(
        without(state, [owner]),
        present.filter((one) => one !== owner),
      );
    }
  };
  visit(world, ownersOf(world));
  const left = ownersOf(world).filter((owner) => !canFinish.has(owner));
  return { left, isOrderFree: ends.size === 1 };
}
