import type { RecognitionReason } from '@/lib/formats/format';
import { isOwnOwner } from '@/lib/formats/qoder-owner';
import { said } from '@/lib/messages/in-english';
import { printable, toBase64Url } from '@/lib/protocol/bytes';
import type { Evidence, Hold, Lock, Owner } from '@/lib/protocol/lock';
import type { WaiterRecord } from '@/server/state/lock-record';
import type { Found } from './find-lock';
import type { InstanceLook } from './instances';
import type { LockView } from './lock-view';
import { lookAt, lookUpInstances, toShownLock } from './shown-lock';

/** A fact and how it came to be known. */
export interface Told<T> {
  value: T;
  evidence: Evidence;
}

export interface Process {
  owner: string;
  host: string | null;
  ip: string | null;
  pid: number | null;
  app: string | null;
  /** Epoch ms by its own clock. */
  startedAt: number | null;
  alive: Told<boolean | null>;
  /** For how much longer it counts as alive without another sign. */
  aliveForMs: number | null;
}

export interface Waiter extends Process {
  position: number;
  /** Epoch ms; null where its library does not write it down. */
  since: number | null;
  businessId: string | null;
}

/** Everything that one look tells of a lock. */
export interface DebugReport {
  given: string;
  takenAs: Found['takenAs'];
  db: number;
  key: string;
  keyB64: string;
  at: number;
  state: Lock['state'] | 'not-recognised';
  /** Why the key is read as a lock of its format. */
  because: string | null;
  /** What keeps the key from being read as a lock. */
  brokenBecause: string | null;
  lock: Lock | null;
  holder: Process | null;
  since: Told<number> | null;
  /** What is left of the lease; a value of null = it has no end. */
  leaseLeftMs: Told<number | null> | null;
  depth: number | null;
  fence: string | null;
  businessId: string | null;
  waiters: Waiter[];
  /** Type of what is at the key, `none` for nothing. */
  redisType: string;
  otherDbs: number[] | null;
}

/** Completes what was found by who the holder and the waiters are. */
export async function debugReport(
  view: LockView,
  found: Found,
  given: string,
): Promise<DebugReport> {
  const { db, key, read } = found;
  const isCounted = await view.countWaiters(db);
  const record = view.lock(db, key);
  const looks = await lookUpInstances(view, db, record ? [record] : []);
  const now = view.now();
  const shown = record && toShownLock(record, now);
  const lock = shown && (isCounted ? shown : withoutWaiters(shown));
  const hold = lock?.hold ?? null;
  const reason = record?.formatBecause ?? null;
  return {
    given,
    takenAs: found.takenAs,
    db,
    key: printable(key),
    keyB64: toBase64Url(key),
    at: now,
    state: lock?.state ?? (read.value === null ? 'free' : 'not-recognised'),
    because: reason && becauseText(reason),
    brokenBecause: record?.brokenBecause ?? null,
    lock,
    holder: hold && holderOf(hold, lookAt(looks, hold.owner.id), now),
    since: hold && { value: hold.since, evidence: hold.sinceEvidence },
    leaseLeftMs: hold && leaseLeft(hold, now),
    depth: hold?.depth ?? null,
    fence: read.fence ?? hold?.fence ?? null,
    businessId: hold?.businessId ?? null,
    waiters: (record?.queue ?? []).map((waiter, at) =>
      waiterOf(waiter, { look: lookAt(looks, printable(waiter.owner)), now, position: at + 1 }),
    ),
    redisType: read.value?.type ?? 'none',
    otherDbs: found.otherDbs,
  };
}

function becauseText(reason: RecognitionReason): string {
  return 'prefix' in reason
    ? said(`because:${reason.id}`, { prefix: printable(reason.prefix) }).text
    : said(`because:${reason.id}`, {}).text;
}

/** A user who may not count subscribers knows of no waiters beyond those in a queue. */
function withoutWaiters(lock: Lock): Lock {
  if (lock.waiting.source !== 'pubsub') return lock;
  return { ...lock, waiting: { ...lock.waiting, evidence: 'unknown', count: null } };
}

function processOf(owner: Owner, look: InstanceLook, now: number): Omit<Process, 'alive'> {
  const { id, host, ip, pid, app } = owner;
  const { startedAt = null, aliveUntil = null } = typeof look === 'string' ? {} : look;
  const aliveForMs = aliveUntil === null ? null : aliveUntil - now;
  return { owner: id, host, ip, pid, app, startedAt, aliveForMs };
}

const LIVENESS = { seen: true, 'not-seen': false, unknown: null } as const;

const holderOf = ({ owner }: Hold, look: InstanceLook, now: number): Process => ({
  ...processOf(owner, look, now),
  alive: told(LIVENESS[owner.liveness]),
});

const waiterOf = (
  { owner, by, alive, since, businessId }: WaiterRecord,
  { look, now, position }: { look: InstanceLook; now: number; position: number },
): Waiter => ({
  position,
  // One look from outside learns it from what our own client writes beside the queue.
  since: isOwnOwner(owner) ? since : null,
  businessId,
  ...processOf(by, look, now),
  alive: told(look === 'gone' ? false : (alive ?? LIVENESS[by.liveness])),
});

const told = (alive: boolean | null): Told<boolean | null> => ({
  value: alive,
  evidence: alive === null ? 'unknown' : 'observed',
});

const leaseLeft = ({ deadline }: Hold, now: number): Told<number | null> => ({
  value: deadline === null ? null : Math.max(0, deadline - now),
  evidence: 'observed',
});
