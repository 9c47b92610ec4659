import { ownInstanceOf } from '@/lib/formats/qoder-owner';
import { printable } from '@/lib/protocol/bytes';
import type { Evidence, Hold, Lock, Owner } from '@/lib/protocol/lock';
import type { LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import { readInstances, type InstanceLook } from './instances';
import type { LockView } from './lock-view';

type Looks = ReadonlyMap<string, InstanceLook>;

/** Looks up everybody who holds or waits for these locks of one db; the locks then know who they are. */
export async function lookUpInstances(
  view: Pick<LockView, 'redis' | 'now' | 'noteInstances'>,
  db: number,
  records: Iterable<LockRecord>,
): Promise<Looks> {
  const ids: string[] = [];
  for (const { hold, queue, members } of records) {
    const owners = [hold?.owner?.id, ...members.map(({ id }) => id)];
    owners.push(...queue.map(({ owner }) => printable(owner)));
    for (const owner of owners) {
      const id = owner === undefined ? null : ownInstanceOf(owner);
      if (id !== null) ids.push(id);
    }
  }
  if (ids.length === 0) return new Map();
  const looks = await readInstances(await view.redis(db), ids, view.now);
  view.noteInstances(looks);
  return looks;
}

export function lookAt(looks: Looks, owner: string): InstanceLook {
  const id = ownInstanceOf(owner);
  return (id === null ? null : looks.get(id)) ?? 'not-told';
}

/** A lock in the shape that the console's answers have, as far as one look tells it. */
export function toShownLock(record: LockRecord, now: number): Lock {
  const lock = toLock(record, [], now);
  const { hold } = lock;
  // One look tells how much of the lease is left, and not how long it was when it was last renewed.
  return {
    ...lock,
    hold: hold && { ...hold, sinceEvidence: sinceEvidence(hold), leaseMs: null },
  };
}

/** One look from outside cannot tell when a hold began: the time is only that of the look. */
const sinceEvidence = ({ sinceEvidence: evidence, notes, tokenTime }: Hold): Evidence =>
  evidence === 'inferred' && notes.includes('started-before-watch') && !tokenTime
    ? 'unknown'
    : evidence;

/** Who holds or waits, in as few words as name the process: `10.0.0.7 (worker-3) pid 4121 log-analyser`. */
export function describeOwner(owner: Pick<Owner, 'id' | 'host' | 'ip' | 'pid' | 'app'>): string {
  const { host, ip, pid, app } = owner;
  const place = ip && host && ip !== host ? `${ip} (${host})` : (ip ?? host);
  const words = [place, pid === null ? null : `pid ${pid}`, app].filter(Boolean);
  return words.length > 0 ? words.join(' ') : owner.id || 'unknown';
}
