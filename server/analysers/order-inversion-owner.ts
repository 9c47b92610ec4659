import type { Sharing } from '@/lib/analysis/lock-order-held';
import type { LockMode } from '@/lib/analysis/lock-order-shape';
import { taskOf } from '@/lib/formats/qoder-owner';
import { printable } from '@/lib/protocol/bytes';
import type { LockKind } from '@/lib/protocol/lock';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { HoldRecord, LockRecord, WaiterRecord } from '@/server/state/lock-record';

/** Libraries that name one thread or task, the same at each of its locks. */
const BY_THREAD: ReadonlySet<string> = new Set([
  'qoder',
  'qoder-read-write',
  'redisson',
  'redisson-fair',
  'redisson-read-write',
  'node-redisson',
]);

/** Libraries that name what many threads share: a registry object in a process, a host. */
const SHARED: Readonly<Record<string, 'instance' | 'host'>> = {
  'spring-registry': 'instance',
  shedlock: 'host',
};

/** Libraries that make a token for each acquisition, which may be of several locks. */
const BY_ACQUISITION: ReadonlySet<string> = new Set([
  'redlock',
  'redlock-universal',
  'sesamecare-redlock',
]);

/** Of others the token is the owner: most make one for each lock; where it is given, by a thread or by many. */
const KINDS: ReadonlySet<LockKind> = new Set<LockKind>(['mutex', 'fair']);

/** Its one key is several locks, which several hold at the same time. */
const MANY_IN_ONE = 'redisson-multi-lock';

/** Whether the library tells its owners in such a way that they can be followed from lock to lock. */
export const isFollowed = (format: string): boolean =>
  BY_THREAD.has(format) || Object.hasOwn(SHARED, format);

/** Whether clients of it may tell whose a hold was after its end. */
export const tellsLate = (format: string): boolean => format.startsWith('qoder');

/** Whether its locks are of a kind of which an order can be learnt at all. */
export const hasOrder = (kind: LockKind): boolean =>
  KINDS.has(kind) || kind === 'read-write' || kind === 'job';

interface Waiting {
  owner: string;
  mode: LockMode;
}

export interface FollowedOwner extends Waiting {
  sharing: Sharing;
  /** What it holds when it takes this one is of no matter, or is not known. */
  isTry: boolean;
}

/** When it began was not seen: what its owner held then cannot be told. */
function isStartUnseen({ isStartUnseen: isUnseen, notes, sinceEvidence }: HoldRecord): boolean {
  if (isUnseen || sinceEvidence === 'unknown') return true;
  return notes.has('started-before-watch') || notes.has('started-in-gap');
}

function ownerOf({ format }: LockRecord, { owner, token }: HoldRecord): string | null {
  if (!owner || token === null || token === '' || owner.id === NO_OWNER_ID) return null;
  if (BY_THREAD.has(format.id)) return taskOf(owner.id);
  const part = SHARED[format.id];
  if (part) return owner[part];
  const isOther = KINDS.has(format.kind) && format.counts !== true && format.id !== MANY_IN_ONE;
  return isOther ? owner.id : null;
}

function sharingOf(format: string): Sharing {
  if (BY_THREAD.has(format) || BY_ACQUISITION.has(format)) return 'own';
  return Object.hasOwn(SHARED, format) ? 'shared' : 'suspected';
}

/** Who waits, where that is a name that spans locks. */
export function followedWaiter(lock: LockRecord, waiter: WaiterRecord): Waiting | null {
  if (!BY_THREAD.has(lock.format.id)) return null;
  const id = printable(waiter.owner);
  const owner = taskOf(id);
  return { owner, mode: lock.format.kind === 'read-write' && owner === id ? 'read' : 'write' };
}

/**
 * Whose hold it is, where that is a name that spans locks; else null. Of a read-write lock that several read only the one
 * who stands for the hold is followed: when the others came and went is not told to the millisecond.
 */
export function followedOwner(lock: LockRecord, hold: HoldRecord): FollowedOwner | null {
  const owner = ownerOf(lock, hold);
  if (owner === null || !hold.owner) return null;
  const { format } = lock;
  const isReadWrite = format.kind === 'read-write';
  const isLateReader = isReadWrite && hold.sinceEvidence !== 'observed';
  return {
    owner,
    mode: isReadWrite && taskOf(hold.owner.id) === hold.owner.id ? 'read' : 'write',
    sharing: sharingOf(format.id),
    isTry: format.waiters === 'never-waits' || isLateReader || isStartUnseen(hold),
  };
}
