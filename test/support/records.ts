import { NOTHING_BESIDE } from '@/lib/formats/format';
import { formatTable } from '@/lib/formats';
import { inEnglish } from '@/lib/messages/in-english';
import { verbatim } from '@/lib/messages/sentence';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Owner } from '@/lib/protocol/lock';
import type { Target, TargetNode } from '@/lib/protocol/target';
import type { Finding } from '@/server/analysers/finding';
import {
  lockId,
  type HoldRecord,
  type LockRecord,
  type WaiterRecord,
} from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';

/** Builders of what the stages hand to each other: lifelike by default, with overrides. */

/** Some moment in 2026; the builders count from here. */
export const START = Date.UTC(2026, 10, 2, 14, 0, 0);

export const anOwner = (token: Bytes): Owner => ({
  id: printable(token),
  instance: null,
  thread: null,
  host: null,
  ip: null,
  pid: null,
  app: null,
  liveness: 'unknown',
});

/** Held since START by `token` with a lease of 60 s, never renewed. */
export function aHold(token: Bytes, overrides: Partial<HoldRecord> = {}): HoldRecord {
  return {
    generation: 1,
    token,
    owner: anOwner(token),
    since: START,
    sinceEvidence: 'observed',
    deadline: START + 60_000,
    leaseMs: 60_000,
    renewals: 0,
    lastRenewalAt: null,
    renewalIntervalMs: null,
    depth: 1,
    maxDepth: 1,
    fence: null,
    finishedAt: null,
    waitedMs: null,
    notes: new Set(),
    end: null,
    endReason: null,
    endEvidence: 'unknown',
    endedBy: null,
    lateReleaseMs: null,
    businessId: null,
    statedSince: null,
    isStartUnseen: false,
    ...overrides,
  };
}

/** A hold that is over: ended at `end` for `endReason`, as an event told. */
export function anEndedHold(
  token: Bytes,
  ended: Partial<HoldRecord> & Pick<HoldRecord, 'endReason' | 'end'>,
): HoldRecord {
  return aHold(token, { endEvidence: 'observed', ...ended });
}

export function aWaiter(owner: Bytes, overrides: Partial<WaiterRecord> = {}): WaiterRecord {
  const by = {
    id: owner,
    instance: null,
    thread: null,
    host: null,
    ip: null,
    pid: null,
    app: null,
  };
  return {
    owner,
    since: START,
    deadline: START + 300_000,
    alive: null,
    businessId: null,
    by: { ...by, liveness: 'unknown' },
    ...overrides,
  };
}

/** A lock in db 0 of a plain pattern; its state follows from `hold` and `queue` unless it is given. */
export function aLock(
  key: Bytes,
  overrides: Partial<LockRecord> & { formatId?: string } = {},
): LockRecord {
  const { formatId, ...rest } = overrides;
  const hold = overrides.hold ?? null;
  const waitedForAlone = hold === null && (overrides.queue ?? []).length > 0;
  const free = waitedForAlone ? 'orphan-queue' : 'free';
  return {
    target: 'main',
    db: 0,
    key,
    format: formatTable.byId(formatId ?? 'pattern'),
    formatCertain: true,
    formatBecause: { id: 'declared' },
    otherFormats: [],
    class: 'lock:*',
    namespace: 'lock',
    state: hold ? 'held' : free,
    brokenBecause: null,
    generation: hold?.generation ?? 1,
    hold,
    members: [],
    permits: null,
    queue: [],
    subscribers: null,
    acquisitions: 1,
    ended: [],
    raw: null,
    beside: NOTHING_BESIDE,
    rawPttl: null,
    rawAt: START,
    changedAt: START,
    ...rest,
  };
}

/** The locks are read to see whether they still are as they were, and are. */
export function markChecked(
  locks: readonly LockRecord[],
  refs: readonly { db: number; key: Bytes }[],
  at: number,
): void {
  const read = new Set(refs.map(({ db, key }) => lockId(db, key)));
  for (const lock of locks) {
    if (!read.has(lockId(lock.db, lock.key))) continue;
    lock.checked = { times: (lock.checked?.times ?? 0) + 1, at };
    lock.rawAt = at;
  }
}

/** A table of exactly these locks, for stages that only read it. Changing a record changes the table. */
export function aTable(locks: readonly LockRecord[]): LockTable {
  const byId = new Map(locks.map((lock) => [lockId(lock.db, lock.key), lock]));
  const count = (state: LockRecord['state']): number =>
    locks.filter((lock) => lock.state === state).length;
  return {
    apply: () => [],
    restore: () => undefined,
    get: (db, key) => byId.get(lockId(db, key)),
    all: () => byId.values(),
    instances: () => [],
    size: byId.size,
    version: 1,
    counts: {
      held: count('held'),
      free: count('free'),
      coolingDown: count('cooling-down'),
      orphanQueues: count('orphan-queue'),
    },
    takeDue: () => [],
    nextToReconcile: () => [],
    probeable: () => [],
    clientQuestion: () => null,
    indexes: [],
    connected: true,
  };
}

export function aNode(overrides: Partial<TargetNode> = {}): TargetNode {
  return {
    addr: '127.0.0.1:6379',
    role: 'primary',
    runId: 'a'.repeat(40),
    version: '7.0.15',
    connected: true,
    canSee: { acquire: true, release: true, lapse: true, eviction: true },
    acquireOf: { string: true, hash: true, zset: true },
    notifyFlags: 'AKEn',
    missingClasses: [],
    patterns: [],
    canaryMs: 1,
    canaryAt: START,
    lastEventAt: START,
    eventsTotal: 0,
    eventsPerSecond: 0,
    gaps: [],
    sweep: { running: false, scanned: 0, keys: 0, locks: 0, finishedAt: START },
    ...overrides,
  };
}

/** A connected target that sees everything and warns of nothing. */
export function aTarget(overrides: Partial<Target> = {}): Target {
  return {
    id: 'main',
    mode: 'standalone',
    dbs: [0],
    watch: [],
    nodes: [aNode()],
    capabilities: { config: true, info: true, client: true, eval: true, pubsub: true },
    missingRules: [],
    unwatchedDbs: [],
    warnings: [],
    ...overrides,
  };
}

/** The target with its connection lost. */
export const aLostTarget = (): Target => aTarget({ nodes: [aNode({ connected: false })] });

/** A warning about one lock, true since START. */
export function aFinding(id: string, overrides: Partial<Finding> = {}): Finding {
  return {
    id,
    code: 'long-hold',
    severity: 'warning',
    subject: { kind: 'lock', label: id, locks: [], deadlockId: null },
    summary: [verbatim('held 61 s by A')],
    remedy: [verbatim('Look at what the owner does.')],
    since: START,
    count: 1,
    evidence: 'observed',
    moment: false,
    ...overrides,
  };
}

/** The findings as a person reads them in English. */
export const inWords = (findings: readonly Finding[]) =>
  findings.map((finding) => ({
    ...finding,
    summary: inEnglish(finding.summary),
    remedy: inEnglish(finding.remedy),
  }));
