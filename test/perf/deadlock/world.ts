/** Somebody in a lock or in its queue. */
export interface Place {
  owner: number;
  writes: boolean;
  /** Number of the step at which it came. */
  since: number;
}

export interface SimLock {
  kind: 'mutex' | 'read-write' | 'semaphore';
  permits: number;
  holders: Place[];
  /** First come, first served. */
  queue: Place[];
}

export interface World {
  owners: number;
  locks: SimLock[];
  step: number;
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const KINDS = ['mutex', 'mutex', 'read-write', 'semaphore'] as const;

export function createWorld(random: () => number): World {
  const locks = Array.from({ length: 3 + Math.floor(random() * 4) }, (): SimLock => {
    const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'mutex';
    const permits = kind === 'semaphore' ? 2 + Math.floor(random() * 2) : 1;
    return { kind, permits, holders: [], queue: [] };
  });
  return { owners: 3 + Math.floor(random() * 6), locks, step: 0 };
}

const isIn = (places: readonly Place[], owner: number): boolean =>
  places.some((place) => place.owner === owner);

function hasRoom({ kind, permits, holders }: SimLock, writes: boolean): boolean {
  if (kind === 'semaphore') return holders.length < permits;
  if (holders.length === 0) return true;
  return kind === 'read-write' && !writes && !holders.some((holder) => holder.writes);
}

/** Lets in whoever stands first, as long as there is room for it. */
export function grant(lock: SimLock): void {
  for (let first = lock.queue[0]; first && hasRoom(lock, first.writes); first = lock.queue[0]) {
    lock.queue.shift();
    lock.holders.push(first);
  }
}

export function leave(lock: SimLock, owner: number): void {
  const { holders, queue } = lock;
  if (!isIn(holders, owner) && !isIn(queue, owner)) return;
  lock.holders = holders.filter((place) => place.owner !== owner);
  lock.queue = queue.filter((place) => place.owner !== owner);
  grant(lock);
}

export const waits = ({ locks }: World, owner: number): boolean =>
  locks.some(({ queue }) => isIn(queue, owner));

/** Asks for a lock: has it at once, or stands at the end of its queue. Who reads may ask to write. */
function ask(lock: SimLock, place: Place): void {
  if (isIn(lock.queue, place.owner)) return;
  const own = lock.holders.find(({ owner }) => owner === place.owner);
  if (own && (lock.kind !== 'read-write' || own.writes || !place.writes)) return;
  lock.queue.push(place);
  grant(lock);
}

/** How lively owners are: shares of 1. */
const GIVES_UP = 0.3;
const ASKS_FOR_MORE = 0.06;
const ASKS = 0.62;
const FINISHES = 0.1;

/** One owner does something: asks, waits for one more, gives up a wait, lets go of one lock or of all. */
export function step(world: World, random: () => number): void {
  world.step++;
  const owner = Math.floor(random() * world.owners);
  const lock = world.locks[Math.floor(random() * world.locks.length)];
  if (!lock) return;
  const does = random();
  const place = { owner, writes: lock.kind === 'read-write' && random() < 0.4, since: world.step };
  if (waits(world, owner)) {
    if (does < ASKS_FOR_MORE) ask(lock, place);
    else if (does < ASKS_FOR_MORE + GIVES_UP && isIn(lock.queue, owner)) {
      lock.queue = lock.queue.filter((one) => one.owner !== owner);
      grant(lock);
    }
    return;
  }
  if (does < ASKS) ask(lock, place);
  else if (does < ASKS + FINISHES) for (const one of world.locks) leave(one, owner);
  else leave(lock, owner);
}

export const copyOf = ({ owners, locks, step: at }: World): World => ({
  owners,
  step: at,
  locks: locks.map((lock) => ({ ...lock, holders: [...lock.holders], queue: [...lock.queue] })),
});
