import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { EndReason, Evidence, Owner } from '@/lib/protocol/lock';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';

/** One thing that happened, as a line of `lock watch`. Times epoch ms, durations ms. */
export interface WatchLine {
  at: number;
  event: string;
  db?: number;
  key?: string;
  owner?: string | null;
  host?: string | null;
  ip?: string | null;
  pid?: number | null;
  app?: string | null;
  evidence?: Evidence;
  fence?: string | null;
  depth?: number;
  leaseMs?: number | null;
  heldMs?: number;
  waitedMs?: number;
  businessId?: string | null;
  /** How many wait now, and before. */
  waiting?: number | null;
  waitingBefore?: number | null;
  waiters?: string[];
  notes?: string[];
  reason?: string;
  from?: number;
  to?: number;
}

/** What the end of a hold is called here. */
const ENDS: Record<EndReason, string> = {
  released: 'released',
  'lease-ended': 'lapsed',
  overwritten: 'overwritten',
  evicted: 'evicted',
  vanished: 'vanished',
  moved: 'moved',
  'lost-in-failover': 'lost-in-failover',
  'force-released': 'force-released',
  unknown: 'ended',
};

export interface ChangeLinesOptions {
  isWanted: (key: Bytes) => boolean;
  /** Renewals and changes of depth too. */
  all: boolean;
  /** Whether a lock that nothing announced is new because nothing is announced. */
  isBlind: () => boolean;
}

/** Turns the table's changes into lines: a hold is told once its holder is known, or when it ends before. */
export class ChangeLines {
  readonly #options: ChangeLinesOptions;
  readonly #unnamed = new Set<HoldRecord>();
  readonly #depths = new WeakMap<HoldRecord, number>();
  readonly #states = new WeakMap<LockRecord, LockRecord['state']>();
  /** Locks whose waiters were told of. */
  readonly #waitedFor = new WeakSet<LockRecord>();

  constructor(options: ChangeLinesOptions) {
    this.#options = options;
  }

  /** The lines that these changes make, in order. */
  of(changes: readonly Change[]): WatchLine[] {
    return changes.flatMap((change) =>
      'lock' in change && !this.#options.isWanted(change.lock.key) ? [] : this.#linesOf(change),
    );
  }

  #linesOf(change: Change): WatchLine[] {
    switch (change.kind) {
      case 'hold-started':
        return this.#started(change.lock, change.hold);
      case 'hold-updated':
        return this.#updated(change.lock, change.hold, change.at);
      case 'hold-ended':
        return this.#ended(change.lock, change.hold, change.at);
      case 'hold-renewed':
        return this.#renewed(change.lock, change.hold, change.at);
      case 'waiting-changed':
        return this.#waiting(change);
      case 'wait-ended':
        return [waitEndLine(change)];
      case 'lock-changed':
        return this.#stateChanged(change.lock, change.at);
      case 'gap':
        return [gapLine(change)];
      case 'connection':
        return [{ at: change.at, event: change.connected ? 'connected' : 'disconnected' }];
      default:
        return [];
    }
  }

  #started(lock: LockRecord, hold: HoldRecord): WatchLine[] {
    if (hold.token === null && hold.end === null) {
      this.#unnamed.add(hold);
      return [];
    }
    this.#unnamed.delete(hold);
    this.#depths.set(hold, hold.depth);
    const isOld = hold.notes.has('started-before-watch') && !this.#options.isBlind();
    const event = isOld ? 'held' : 'acquired';
    return [{ ...holdLine(lock, hold), at: hold.since, event, evidence: hold.sinceEvidence }];
  }

  #updated(lock: LockRecord, hold: HoldRecord, at: number): WatchLine[] {
    if (this.#unnamed.has(hold)) return this.#started(lock, hold);
    const before = this.#depths.get(hold);
    this.#depths.set(hold, hold.depth);
    if (!this.#options.all || before === undefined || before === hold.depth) return [];
    return [{ ...holdLine(lock, hold), at, event: 'depth', evidence: 'observed' }];
  }

  #renewed(lock: LockRecord, hold: HoldRecord, at: number): WatchLine[] {
    if (!this.#options.all || this.#unnamed.has(hold)) return [];
    return [{ ...holdLine(lock, hold), at, event: 'renewed', evidence: 'observed' }];
  }

  #ended(lock: LockRecord, hold: HoldRecord, at: number): WatchLine[] {
    const before = this.#unnamed.has(hold) ? this.#started(lock, hold) : [];
    const end = hold.end ?? at;
    const line = {
      ...holdLine(lock, hold),
      at: end,
      event: ENDS[hold.endReason ?? 'unknown'],
      heldMs: Math.max(0, end - hold.since),
      evidence: hold.endEvidence,
      ...(hold.endedBy !== null && { reason: `by ${hold.endedBy}` }),
    };
    return [...before, line];
  }

  /** That nobody waits for a lock is no news when its queue is read for the first time. */
  #waiting(change: Extract<Change, { kind: 'waiting-changed' }>): WatchLine[] {
    const { lock, before, after } = change;
    if (before === null && after === 0 && !this.#waitedFor.has(lock)) return [];
    this.#waitedFor.add(lock);
    return [waitingLine(change)];
  }

  #stateChanged(lock: LockRecord, at: number): WatchLine[] {
    const isNew = this.#states.get(lock) !== lock.state;
    this.#states.set(lock, lock.state);
    return isNew ? stateLine(lock, at) : [];
  }
}

const nameOf = ({ db, key }: LockRecord): Pick<WatchLine, 'db' | 'key'> => ({
  db,
  key: printable(key),
});

const whoOf = (owner: Owner | null): Pick<WatchLine, 'owner' | 'host' | 'ip' | 'pid' | 'app'> => ({
  owner: owner?.id ?? null,
  host: owner?.host ?? null,
  ip: owner?.ip ?? null,
  pid: owner?.pid ?? null,
  app: owner?.app ?? null,
});

function holdLine(lock: LockRecord, hold: HoldRecord): Omit<WatchLine, 'at' | 'event'> {
  return {
    ...nameOf(lock),
    ...whoOf(hold.owner),
    depth: hold.depth,
    fence: hold.fence,
    leaseMs: hold.leaseMs,
    businessId: hold.businessId,
    ...(hold.notes.size > 0 && { notes: [...hold.notes] }),
  };
}

const gapLine = ({ at, from, to, reason }: Extract<Change, { kind: 'gap' }>): WatchLine => ({
  at,
  event: 'gap',
  from,
  to,
  reason,
});

function waitingLine({ at, lock, before, after }: Extract<Change, { kind: 'waiting-changed' }>) {
  return {
    at,
    event: 'waiting',
    ...nameOf(lock),
    waiting: after,
    waitingBefore: before,
    waiters: lock.queue.map(({ owner }) => printable(owner)),
    evidence: after === null ? ('unknown' as const) : ('observed' as const),
  };
}

function waitEndLine(change: Extract<Change, { kind: 'wait-ended' }>): WatchLine {
  const { at, lock, owner, waitedMs, evidence, outcome } = change;
  const event = outcome === 'granted' ? 'waited' : 'gave-up';
  return { at, event, ...nameOf(lock), owner: printable(owner), waitedMs, evidence };
}

function stateLine(lock: LockRecord, at: number): WatchLine[] {
  if (lock.state === 'broken') {
    const reason = lock.brokenBecause ?? 'its value is no lock';
    return [{ at, event: 'broken', ...nameOf(lock), reason, evidence: 'observed' }];
  }
  if (lock.state !== 'orphan-queue') return [];
  const waiters = lock.queue.map(({ owner }) => printable(owner));
  return [{ at, event: 'orphan-queue', ...nameOf(lock), waiters, evidence: 'observed' }];
}
