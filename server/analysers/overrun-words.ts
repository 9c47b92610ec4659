import { sentence } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { View } from './analyser';
import { namedHolder } from './overrun-counts';
import { clip } from './subject';

/** Once is what the alert itself tells. */
const OFTEN = 2;

/** How often it happened before: to this lock, if one is given, and to this holder on whatever lock. */
export function overrunsOf(
  { overruns, now }: View,
  { lock, hold }: { lock?: LockRecord; hold: HoldRecord },
): Sentence[] {
  const told: Sentence[] = [];
  const ofLock = lock && overruns.ofLock(lock, now);
  if (ofLock && ofLock.count >= OFTEN) {
    const { count, since } = ofLock;
    told.push(sentence('overruns:of-lock', { count, lastsMs: now - since }));
  }
  const holder = namedHolder(hold);
  const ofHolder = holder && overruns.ofHolder(holder, now);
  if (holder && ofHolder && ofHolder.count >= OFTEN) {
    const { count, since } = ofHolder;
    const values = { count, holder: clip(holder.name), lastsMs: now - since };
    told.push(sentence('overruns:of-holder', values));
  }
  return told;
}
