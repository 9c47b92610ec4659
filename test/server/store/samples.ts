import type { PastHold } from '@/lib/protocol/lock';
import type { AuditDraft, HoldRow, Rollup } from '@/server/store/store-contract';

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
    step: 1_000_000,
    acquisitions: 1,
    heldMs: 500,
    waiterMs: null,
    ends: { released: 1 },
    handoffMsSum: 0,
    handoffCount: 0,
    holdSketch: null,
    waitSketches: {},
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
