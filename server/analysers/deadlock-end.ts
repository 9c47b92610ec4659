import type { Deadlock } from '@/lib/protocol/deadlock';
import { taskOf } from '@/lib/formats/qoder-owner';
import type { LockRecord } from '@/server/state/lock-record';
import type { Step } from './deadlock-steps';
import { alertLock } from './subject';

/** What is needed of a step to tell later how it ended: the records go on changing. */
export interface Trail {
  lock: LockRecord;
  owner: string;
  holder: string;
  /** Of the hold that the lock's record stood for; null where it stood for another. */
  generation: number | null;
  since: number | null;
}

export const trailOf = (steps: readonly Step[]): Trail[] =>
  steps.map(({ lock, edge, holding, waiting }) => ({
    lock,
    owner: edge.owner,
    holder: edge.holder,
    generation: holding?.hold?.generation ?? null,
    since: waiting.since,
  }));

/** Whether all of it stood on the same holds and waits before. */
export const isSameTrail = (before: readonly Trail[], now: readonly Trail[]): boolean =>
  before.length === now.length &&
  now.every(({ generation, since }, i) => {
    const one = before[i];
    const isSameHold = generation === null || (one?.generation ?? generation) === generation;
    return one !== undefined && isSameHold && one.since === since;
  });

interface Break {
  at: number;
  brokenBy: NonNullable<Deadlock['brokenBy']>;
}

function holdBreak({ lock, holder, generation }: Trail): Break | null {
  if (generation === null || lock.hold?.generation === generation) return null;
  const ended = lock.ended.find((hold) => hold.generation === generation);
  if (ended?.end == null) return null;
  const reason = ended.endReason ?? 'unknown';
  return { at: ended.end, brokenBy: { lock: alertLock(lock), owner: holder, reason } };
}

/** One of several that held it holds it no more. */
function memberBreak({ lock, holder, generation }: Trail, now: number): Break | null {
  if (generation !== null || lock.members.length === 0) return null;
  const isInside = lock.members.some(({ id, stale }) => !stale && taskOf(id) === holder);
  if (isInside) return null;
  return { at: now, brokenBy: { lock: alertLock(lock), owner: holder, reason: 'released' } };
}

function waitBreak({ lock, owner }: Trail, now: number): Break | null {
  if (lock.queue.some(({ by }) => taskOf(by.id) === owner)) return null;
  return { at: now, brokenBy: { lock: alertLock(lock), owner, reason: 'wait-ended' } };
}

/** By what it was broken: the hold that ended first, else a wait that was given up; null where nothing tells. */
export function brokenBy(trail: readonly Trail[], now: number): Deadlock['brokenBy'] {
  const holds = trail.flatMap((one) => holdBreak(one) ?? memberBreak(one, now) ?? []);
  const breaks = holds.length > 0 ? holds : trail.flatMap((one) => waitBreak(one, now) ?? []);
  return breaks.toSorted((a, b) => a.at - b.at)[0]?.brokenBy ?? null;
}
