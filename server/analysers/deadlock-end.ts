import { sentence, type SentenceId } from '@/lib/messages/sentence';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { EndReason } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';
import { taskOf } from '@/lib/formats/qoder-owner';
import type { LockRecord } from '@/server/state/lock-record';
import { findingIdOf } from './deadlock-finding';
import type { Step } from './deadlock-steps';
import type { Ending } from './finding';
import { alertLock, clip, shortNameOf } from './subject';

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

type BrokenBy = Required<NonNullable<Deadlock['brokenBy']>>;

function holdBreak({ lock, holder, generation }: Trail): BrokenBy | null {
  if (generation === null || lock.hold?.generation === generation) return null;
  const ended = lock.ended.find((hold) => hold.generation === generation);
  if (ended?.end == null) return null;
  const reason = ended.endReason ?? 'unknown';
  return {
    ...{ lock: alertLock(lock), owner: holder, reason, at: ended.end },
    by: reason === 'force-released' ? ended.endedBy : null,
    evidence: ended.endEvidence,
  };
}

/** One of several that held it holds it no more: whether it let go or its lease ended is not told. */
function memberBreak({ lock, holder, generation }: Trail, now: number): BrokenBy | null {
  if (generation !== null || lock.members.length === 0) return null;
  const isInside = lock.members.some(({ id, stale }) => !stale && taskOf(id) === holder);
  if (isInside) return null;
  return {
    ...{ lock: alertLock(lock), owner: holder, reason: 'released' },
    ...{ at: now, by: null, evidence: 'inferred' },
  };
}

function waitBreak({ lock, owner }: Trail, now: number): BrokenBy | null {
  if (lock.queue.some(({ by }) => taskOf(by.id) === owner)) return null;
  return {
    ...{ lock: alertLock(lock), owner, reason: 'wait-ended' },
    ...{ at: now, by: null, evidence: 'observed' },
  };
}

/** By what it was broken: the hold that ended first, else a wait that was given up; null where nothing tells. */
export function brokenBy(trail: readonly Trail[], now: number): BrokenBy | null {
  const holds = trail.flatMap((one) => holdBreak(one) ?? memberBreak(one, now) ?? []);
  const breaks = holds.length > 0 ? holds : trail.flatMap((one) => waitBreak(one, now) ?? []);
  return breaks.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** The service of an owner in the circle, where it is known. */
function appOf(cycle: Deadlock['cycle'], id: string): string | null {
  for (const { owner, heldBy, ownerApp, heldByApp } of cycle) {
    if (owner === id && ownerApp !== undefined) return ownerApp;
    if (heldBy === id && heldByApp !== undefined) return heldByApp;
  }
  return null;
}

const SENTENCES = {
  released: 'deadlock:broken-released',
  'force-released': 'deadlock:broken-forced-unnamed',
  'lease-ended': 'deadlock:broken-lease-ended',
  overwritten: 'deadlock:broken-overwritten',
  evicted: 'deadlock:broken-evicted',
  vanished: 'deadlock:broken-vanished',
  moved: 'deadlock:broken-moved',
  'lost-in-failover': 'deadlock:broken-lost-in-failover',
  unknown: 'deadlock:broken-unknown',
  'wait-ended': 'deadlock:broken-wait-ended',
} as const satisfies Record<EndReason | 'wait-ended', SentenceId>;

const isReason = (reason: string): reason is keyof typeof SENTENCES =>
  Object.hasOwn(SENTENCES, reason);

function wordsOf({ cycle, brokenBy: by }: Deadlock): Sentence {
  if (!by) return sentence('deadlock:broken-unseen', {});
  const { owner: id, reason, by: actor } = by;
  const owner = id === null ? null : shortNameOf({ id, app: appOf(cycle, id) });
  const values = { key: clip(by.lock.key), owner };
  if (reason === 'force-released' && actor) {
    return sentence('deadlock:broken-forced', { ...values, actor });
  }
  return sentence(SENTENCES[isReason(reason) ? reason : 'unknown'], values);
}

/** What broke a deadlock that is over, for its alert. */
export const endingOf = (deadlock: Deadlock, now: number): Ending => ({
  finding: findingIdOf(deadlock),
  sentences: [wordsOf(deadlock)],
  at: deadlock.brokenBy?.at ?? now,
  actor: deadlock.brokenBy?.by ?? null,
  evidence: deadlock.brokenBy?.evidence ?? 'unknown',
});
