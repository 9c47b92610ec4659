import { replayLock, replaySegments, type Replayed } from './replay';
import type { LockRecording } from './replay-record';

/** Numbers of segments that are tried, fewest first. */
export const SPLITS = [2, 4, 8, 10, 16] as const;
/** Advice is given from this drop of contention on: what costs work must bring something. */
export const WANTED_DROP = 0.42;
/** By chance alone a split comes out better or worse; the mean of so many is told. */
const DRAWS = 3;
/** Where nearly all say what they lock for, those that do not are spread by chance. */
const NAMED_SHARE = 0.9;

/** What decides to which segment somebody goes: chance, or a hash of the business id. */
export type SplitBy = 'any-segment' | 'business-id';

/** One id alone cannot be spread, so that it says nothing of how the work would be. */
export function splitBy({ arrivals }: LockRecording): SplitBy {
  const ids = arrivals.flatMap(({ businessId }) => (businessId === null ? [] : [businessId]));
  const isNamed = ids.length >= arrivals.length * NAMED_SHARE;
  return isNamed && new Set(ids).size > 1 ? 'business-id' : 'any-segment';
}

/** FNV-1a of 32 bits over UTF-16 code units, modulo `segments`: as `lib/lock/stock` finds an order's home. */
export function segmentOfId(id: string, segments: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % segments;
}

/** As it was recorded, first come first served. */
export const replayAsIs = ({ arrivals, handoffMs, busyUntil }: LockRecording): Replayed =>
  replayLock(arrivals, { handoffMs, busyUntil });

/**
 * The same arrivals at `segments` locks in place of the one: the mean of several draws where chance decides (`random` in
 * 0…1), and then the waits of the last. Takes for granted that who asks would ask at the same time and hold for as long.
 */
export function replaySplit(
  recording: LockRecording,
  segments: number,
  { by, random }: { by: SplitBy; random: () => number },
): Replayed {
  const { arrivals, handoffMs, busyUntil } = recording;
  const byChance = (): number => Math.floor(random() * segments);
  const segmentOf = (index: number): number => {
    const id = by === 'business-id' ? (arrivals[index]?.businessId ?? null) : null;
    return id === null ? byChance() : segmentOfId(id, segments);
  };
  const draw = (): Replayed =>
    replaySegments(arrivals, { handoffMs, busyUntil, segments, segmentOf });
  const last = draw();
  if (by === 'business-id') return last;
  let waiterMs = last.waiterMs;
  for (let more = 1; more < DRAWS; more++) waiterMs += draw().waiterMs;
  return { ...last, waiterMs: waiterMs / DRAWS };
}

/** 0…1: by how much less is waited; negative for more. */
export const dropOf = (now: number, then: number): number => (now > 0 ? 1 - then / now : 0);
