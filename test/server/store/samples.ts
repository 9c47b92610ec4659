import type { PastHold } from '@/lib/protocol/lock';
import type { BlameRow, Rollup, WaitRow } from '@/server/store/history-contract';
import type { AuditDraft, HoldRow } from '@/server/store/store-contract';

export function aHold(over: Partial<Omit<HoldRow, 'past'>> & { past?: Partial<PastHold> } = {}) {
  const row: HoldRow = {
    target: 'main',
    db: 0,
    key: 'order_sync:1',
    class: 'order_sync:*',
    namespace: 'order_sync',
    formatId: 'redisson',
    token: 'aaaa:1',
    acquisitions: 1,
    waited: null,
    ...over,
    past: {
      generation: 1,
      owner: 'aaaa:1',
      start: 1_000_000,
      end: 1_000_500,
      endReason: 'released',
      evidence: 'observed',
      renewals: 0,
      maxDepth: 1,
      endedBy: null,
      lateReleaseMs: null,
      notes: [],
      ...over.past,
    },
  };
  return row;
}

export function aRollup(over: Partial<Rollup> = {}): Rollup {
  return {
    target: 'main',
    class: 'order_sync:*',
    namespace: 'order_sync',
    formatId: 'redisson',
    lock: null,
    step: 1_000_000,
    spanMs: 10_000,
    acquisitions: 1,
    heldMs: 500,
    waiterMs: null,
    waits: null,
    waitMs: null,
    timeouts: null,
    attempts: null,
    ends: { released: 1 },
    handoffs: 0,
    handoffMs: 0,
    sketches: {},
    ...over,
  };
}

export function aBlame(over: Partial<BlameRow> = {}): BlameRow {
  return {
    target: 'main',
    class: 'order_sync:*',
    namespace: 'order_sync',
    formatId: 'redisson',
    lock: { db: 0, key: 'order_sync:1' },
    cause: 'holder',
    owner: 'aaaa:1',
    step: 1_000_000,
    spanMs: 10_000,
    waiterMs: 300,
    ...over,
  };
}

export function aLeftWait(over: Partial<WaitRow> = {}): WaitRow {
  return {
    target: 'main',
    db: 0,
    key: 'order_sync:1',
    class: 'order_sync:*',
    namespace: 'order_sync',
    formatId: 'redisson',
    owner: 'bbbb:2',
    start: 1_000_000,
    end: 1_000_400,
    source: 'fair-queue',
    evidence: 'observed',
    outcome: 'left',
    ...over,
  };
}

export function anAuditDraft(over: Partial<AuditDraft> = {}): AuditDraft {
  return {
    at: 1_000_000,
    actor: 'ann@example.org',
    action: 'lock.release',
    target: 'main',
    db: 0,
    key: 'order_sync:1',
    reason: 'stuck since noon',
    outcome: 'requested',
    code: null,
    before: { owner: 'aaaa:1', depth: 1 },
    after: null,
    requestId: 'r-1',
    businessId: null,
    ...over,
  };
}
