import { findIncidents, type Incident } from '@/lib/analysis/wait-incidents';
import type { WaitRequest } from '@/lib/analysis/wait-graph';
import {
  requestsOf,
  type AwaitedLock,
  type Holding,
  type Waiting,
} from '@/server/analysers/deadlock-waits';
import { blockEachOther, leftWaiting, searchedLeftWaiting, without } from './oracle';
import { createWorld, randomOf, step, waits, type SimLock, type World } from './world';

export interface Verdict {
  steps: number;
  checks: number;
  /** Checks at which somebody was stuck. */
  stuck: number;
  /** Told, and could still have gone on. */
  phantom: number;
  /** Could not go on, and not told. */
  missed: number;
}

/** Steps from one check to the next, at most. */
const CHECK_WITHIN = 60;
const STEPS_PER_WORLD = 20_000;
/** One check in so many is also searched through in every order. */
const SEARCHED = 400;

const nameOf = (owner: number): string => `o${owner}`;
const numberOf = (name: string): number => Number(name.slice(1));

const holdingOf = (owner: number): Holding => ({
  task: nameOf(owner),
  owner: null,
  hold: null,
  deadline: null,
});

const waitingOf = ({ owner, writes, since }: SimLock['queue'][number]): Waiting => ({
  ...{ task: nameOf(owner), owner: null, since, place: `${since}`, isWriter: writes },
  ...{ isReported: false, isQueued: true },
});

type Awaited = Omit<AwaitedLock, 'lock'>;

function awaitedOf({ kind, holders, queue }: SimLock, name: string): Awaited {
  const writers = holders.filter(({ writes }) => writes);
  const inside = writers.length > 0 ? writers : holders;
  return {
    name,
    holdings: [...new Set(inside.map(({ owner }) => owner))].map(holdingOf),
    waits: queue.map(waitingOf),
    hasPermits: kind === 'semaphore',
    isReadWrite: kind === 'read-write',
    isHeldForReading: kind === 'read-write' && writers.length === 0,
  };
}

/** Who waits for whom, by the rules by which the console takes it from locks. */
export function requestsIn({ locks, owners }: World): WaitRequest[] {
  const several = new Set<string>();
  for (let owner = 0; owner < owners; owner++) {
    const times = locks.filter(({ queue }) => queue.some((one) => one.owner === owner)).length;
    if (times > 1) several.add(nameOf(owner));
  }
  return locks.flatMap((lock, i) =>
    lock.queue.length === 0 ? [] : requestsOf(awaitedOf(lock, `l${i}`), several),
  );
}

const isSame = (a: readonly number[], b: ReadonlySet<number>): boolean =>
  a.length === b.size && a.every((owner) => b.has(owner));

const ownersOf = ({ edges }: Incident): number[] => [
  ...new Set(edges.map(({ owner }) => numberOf(owner))),
];

function check(world: World, known: readonly Incident[], verdict: Verdict): Incident[] {
  const truth = leftWaiting(world);
  const { incidents, stuck } = findIncidents(requestsIn(world), { known });
  const found = new Set([...stuck.owners].map(numberOf));
  verdict.checks++;
  if (truth.length > 0) verdict.stuck++;
  if (!isSame(truth, found)) {
    if (truth.some((owner) => !found.has(owner))) verdict.missed++;
    else verdict.phantom++;
  }
  for (const incident of incidents) {
    if (!blockEachOther(world, ownersOf(incident))) verdict.phantom++;
  }
  if (truth.length > 0) {
    const selfish = stuck.requests.filter(({ waitsForItself }) => waitsForItself);
    const told = [
      ...incidents.flatMap(ownersOf),
      ...selfish.map(({ request }) => numberOf(request.owner)),
    ];
    // Whoever is told of set aside, nobody may be stuck: all others only stood behind.
    if (leftWaiting(without(world, told)).length > 0) verdict.missed++;
  }
  return incidents;
}

/** That the oracle itself is right: what it plays in one order is so in every order. */
function checkOracle(world: World, verdict: Verdict): void {
  const { left, isOrderFree } = searchedLeftWaiting(world);
  if (!isOrderFree || !isSame(leftWaiting(world), new Set(left))) {
    throw new Error('the oracle of deadlocks depends on the order in which owners finish');
  }
  verdict.checks++;
}

/** Owners that take, wait, give up and let go at random; at random moments all that is stuck is compared. */
export function walk(steps: number, seed: number): Verdict {
  const random = randomOf(seed);
  const verdict: Verdict = { steps: 0, checks: 0, stuck: 0, phantom: 0, missed: 0 };
  while (verdict.steps < steps) {
    const world = createWorld(random);
    let known: Incident[] = [];
    let untilCheck = 1;
    for (let i = 0; i < STEPS_PER_WORLD && verdict.steps < steps; i++) {
      step(world, random);
      verdict.steps++;
      if (--untilCheck > 0) continue;
      untilCheck = 1 + Math.floor(random() * CHECK_WITHIN);
      if (!someWaits(world)) continue;
      known = check(world, known, verdict);
      if (verdict.checks % SEARCHED === 0) checkOracle(world, verdict);
    }
  }
  return verdict;
}

const someWaits = (world: World): boolean => {
  for (let owner = 0; owner < world.owners; owner++) if (waits(world, owner)) return true;
  return false;
};
