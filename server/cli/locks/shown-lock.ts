import { printable } from '@/lib/protocol/bytes';
import type { Evidence, Hold, Lock, Owner } from '@/lib/protocol/lock';
import type { LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import { ownInstanceOf, readInstances, type InstanceLook } from './instances';
import type { LockView } from './lock-view';

type Looks = ReadonlyMap<string, InstanceLook>;

/** The instances of everybody who holds or waits for these locks of one db. */
export async function instancesOf(
  view: Pick<LockView, 'redis' | 'now'>,
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
  return ids.length === 0 ? new Map() : await readInstances(await view.redis(db), ids, view.now);
}

export function lookAt(looks: Looks, owner: string): InstanceLook {
  const id = ownInstanceOf(owner);
  return (id === null ? null : looks.get(id)) ?? 'not-told';
}

/** A lock in the shape that the console's answers have, as far as one look tells it. */
export function toShownLock(record: LockRecord, looks: Looks, now: number): Lock {
  const lock = toLock(record, [], now);
  return {
    ...lock,
    hold: lock.hold && withInstance(lock.hold, looks),
    waiting: {
      ...lock.waiting,
      owners: lock.waiting.owners.map((waiter, at) => ({
        ...waiter,
        alive: isAlive(lookAt(looks, waiter.id), {
          heardOf: waiter.alive,
          countsUntil: record.queue[at]?.deadline ?? null,
          now,
        }),
      })),
    },
  };
}

/** Null = nothing tells. */
export function isAlive(
  look: InstanceLook,
  queue: { heardOf: boolean | null; countsUntil: number | null; now: number },
): boolean | null {
  if (look === 'gone') return false;
  if (queue.countsUntil !== null && queue.countsUntil <= queue.now) return false;
  return look === 'not-told' ? queue.heardOf : true;
}

function withInstance(hold: Hold, looks: Looks): Hold {
  const look = lookAt(looks, hold.owner.id);
  return { ...hold, owner: withLook(hold.owner, look), sinceEvidence: sinceEvidence(hold) };
}

function withLook(owner: Owner, look: InstanceLook): Owner {
  if (look === 'not-told') return owner;
  if (look === 'gone') return { ...owner, liveness: 'not-seen' };
  const { host, ip, pid, app } = look;
  return { ...owner, host, ip, pid, app, liveness: 'seen' };
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
