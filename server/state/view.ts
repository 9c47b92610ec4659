import { isOwnOwner } from '@/lib/formats/qoder-owner';
import { waitTraits, type RawValue } from '@/lib/formats/format';
import { printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { toMoment } from '@/lib/protocol/time';
import type { Hold, LastEnd, Lock, Owner, PastHold, Waiting } from '@/lib/protocol/lock';
import { withHints } from './hints';
import type { HoldRecord, LockRecord } from './lock-record';
import { isCountedByChannel, waitingCount } from './waiting';

/** Shown while no read has named the holder yet. */
const UNNAMED: Owner = {
  id: '',
  instance: null,
  thread: null,
  host: null,
  ip: null,
  pid: null,
  app: null,
  liveness: 'unknown',
};

/** What a release compares: the whole of a value but the scores, which every refresh changes. */
function comparedParts(raw: RawValue | null): readonly Bytes[] {
  if (raw?.type === 'string') {
    return raw.truncated ? [raw.bytes, `${raw.size}`, raw.tail ?? ''] : [raw.bytes];
  }
  if (raw?.type === 'hash') return raw.fields.map(([f, v]) => `${f}\0${v}`).toSorted();
  if (raw?.type === 'zset') return raw.members.map(([member]) => member).toSorted();
  if (raw?.type === 'set') return raw.members.toSorted();
  return [];
}

/** Two 32-bit lanes of FNV-1a (different offsets) over the bytes; 16 hex digits. */
function hash64(parts: readonly Bytes[]): string {
  let a = 0x811c9dc5;
  let b = 0xcbf29ce4;
  for (const part of parts) {
    for (let i = 0; i <= part.length; i++) {
      // The separator is no byte, so that ['ab'] and ['a', 'b'] differ.
      const byte = i === part.length ? 0x100 : part.charCodeAt(i);
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte ^ (a >>> 15), 0x01000193);
    }
  }
  const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
}

/** Who holds it may be written beside it: as members, or as the fields of a hash. */
const writtenBeside = ({ members, beside }: LockRecord): Bytes[] => [
  ...members.map(({ id }) => id),
  ...[...beside.values()].flatMap(({ value }) =>
    value?.type === 'hash' ? value.fields.map(([field]) => field) : [],
  ),
];

/** What a release has to repeat: changes with the holder and the depth, not with a renewal. */
function versionOf(lock: LockRecord, hold: HoldRecord): string {
  const inside = lock.beside.size > 0 ? writtenBeside(lock).toSorted() : [];
  const seen = hold.token === null ? 'unread' : hash64([...comparedParts(lock.raw), ...inside]);
  return `${hold.generation}.${seen}`;
}

function toHold(lock: LockRecord, hold: HoldRecord): Hold {
  return {
    generation: hold.generation,
    version: versionOf(lock, hold),
    owner:
      hold.owner ?? (hold.token === null ? UNNAMED : { ...UNNAMED, id: printable(hold.token) }),
    since: hold.since,
    sinceEvidence: hold.sinceEvidence,
    deadline: hold.deadline ?? null,
    leaseMs: hold.leaseMs,
    renewals: hold.renewals,
    lastRenewalAt: hold.lastRenewalAt,
    renewalIntervalMs: hold.renewalIntervalMs,
    depth: hold.depth,
    maxDepth: hold.maxDepth,
    businessId: hold.businessId,
    fence: hold.fence,
    tokenTime: hold.tokenTime ?? null,
    finishedAt: hold.finishedAt,
    notes: [...hold.notes],
  };
}

/** Channels of a free lock are counted only while somebody listens; an old zero says nothing about now. */
const isCountOld = ({ format, hold, subscribers }: LockRecord): boolean =>
  format.waiters === 'pubsub' && hold === null && subscribers === 0;

function toWaiting(lock: LockRecord): Waiting {
  const { waiters } = waitTraits(lock.format, lock.raw);
  const count = isCountOld(lock) ? null : waitingCount(lock);
  const isQueued = waiters === 'fair-queue' || waiters === 'beside' || lock.queue.length > 0;
  if (isQueued && !isCountedByChannel(lock)) {
    const owners = lock.queue.map(({ owner, since, deadline, alive, by, businessId }) => ({
      id: printable(owner),
      since,
      alive,
      // Heartbeats move that of our own client, so that it says nothing about when it is dropped.
      ...(deadline !== null && !isOwnOwner(owner) && { deadline: toMoment(deadline) }),
      ...(by.instance !== null && { owner: by, businessId }),
    }));
    const isCurrent = count !== null;
    return {
      evidence: isCurrent ? 'observed' : 'unknown',
      count,
      unit: 'owners',
      source: waiters === 'beside' ? 'beside' : 'fair-queue',
      owners: isCurrent ? owners : [],
    };
  }
  if (waiters === 'never-waits') {
    return { evidence: 'inferred', count: 0, unit: 'owners', source: 'never-waits', owners: [] };
  }
  const hasChannels = waiters === 'pubsub' || isCountedByChannel(lock);
  const isProbed = hasChannels && count !== null;
  return {
    evidence: isProbed ? 'observed' : 'unknown',
    count,
    unit: hasChannels ? 'instances' : 'owners',
    source: waiters === 'poll' ? 'poll' : isProbed ? 'pubsub' : 'not-probed',
    owners: [],
  };
}

/** Which side holds a lock that has two. */
function modeOf({ hold, members }: LockRecord): Pick<Lock, 'mode'> {
  if (!hold || members.length === 0) return {};
  if (members.some(({ role }) => role === 'writer')) return { mode: 'write' };
  return members.some(({ role }) => role === 'reader') ? { mode: 'read' } : {};
}

function toLastEnd(hold: HoldRecord | undefined): LastEnd | null {
  if (!hold || hold.end === null || hold.endReason === null) return null;
  return {
    generation: hold.generation,
    owner: hold.owner?.id ?? (hold.token === null ? null : printable(hold.token)),
    at: hold.end,
    reason: hold.endReason,
    evidence: hold.endEvidence,
    notes: [...hold.notes],
  };
}

/**
 * A lock as it crosses the wire. A holder whom no read has named yet has the empty id. `alerts` are the
 * codes of the open alerts about it.
 */
export function toLock(lock: LockRecord, alerts: string[], now: number): Lock {
  return {
    target: lock.target,
    db: lock.db,
    key: printable(lock.key),
    keyB64: toBase64Url(lock.key),
    format: lock.format.id,
    formatCertain: lock.formatCertain,
    ...(lock.otherFormats.length > 0 && {
      otherFormats: lock.otherFormats.map(({ format }) => format.id),
    }),
    kind: lock.format.kind,
    class: lock.class,
    namespace: lock.namespace,
    state: lock.state,
    hold: lock.hold && toHold(lock, lock.hold),
    members: lock.members,
    ...modeOf(lock),
    ...(lock.permits && { permits: lock.permits }),
    waiting: withHints(toWaiting(lock), lock, now),
    lastEnd: toLastEnd(lock.ended[0]),
    acquisitions: lock.acquisitions,
    alerts,
  };
}

/** Who holds or held it, as history names owners; null = not seen. */
export const ownerOfHold = ({ owner, token }: HoldRecord): string | null =>
  owner?.id ?? (token === null ? null : printable(token));

/** A hold as history shows it. `evidence` is that of its end, or of its start while it lasts. */
export function toPastHold(hold: HoldRecord): PastHold {
  return {
    generation: hold.generation,
    owner: ownerOfHold(hold),
    start: hold.since,
    end: hold.end,
    endReason: hold.endReason,
    evidence: hold.end === null ? hold.sinceEvidence : hold.endEvidence,
    renewals: hold.renewals,
    maxDepth: hold.maxDepth,
    endedBy: hold.endedBy,
    lateReleaseMs: hold.lateReleaseMs,
    businessId: hold.businessId,
    notes: [...hold.notes],
  };
}
