import { said } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { AuditOutcome } from '@/lib/protocol/audit';
import { CodedError, isCodedError, type ErrorCode } from '@/lib/protocol/errors';
import type { Analysis } from '@/server/analysers/analysis-contract';
import type { Actor } from '@/server/auth/actor';
import type { Store } from '@/server/store/store-contract';
import type { Subject } from './verb';

/** What all entries of one request share. */
export interface Trail {
  action: string;
  requestId: string;
  reason: string | null;
  businessId: string | null;
  subject: Subject;
}

export interface Outcome {
  outcome: AuditOutcome;
  code: ErrorCode | null;
  after: unknown;
}

/** Codes that say "we did not want to"; everything else means "we could not". */
const REFUSALS: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'READ_ONLY_FORMAT',
  'CAPABILITY_MISSING',
  'TOO_MANY',
];

export function outcomeOf(error: unknown): Outcome {
  if (!isCodedError(error)) return { outcome: 'failed', code: 'INTERNAL', after: null };
  const outcome = REFUSALS.includes(error.code) ? 'refused' : 'failed';
  return { outcome, code: error.code, after: error.details ?? null };
}

/** Who writes entries, where and about which Redis. */
export interface AuditWriter {
  store: Pick<Store, 'appendAudit'>;
  actor: Pick<Actor, 'name'>;
  targetId: string;
  now: () => number;
}

async function append(context: AuditWriter, trail: Trail, outcome: Outcome): Promise<void> {
  const { action, requestId, reason, businessId, subject } = trail;
  await context.store.appendAudit({
    at: context.now(),
    actor: context.actor.name,
    target: context.targetId,
    db: subject.db,
    key: subject.key,
    before: subject.before,
    ...{ action, requestId, reason, businessId },
    ...outcome,
  });
}

/** The entry without which nothing is done. Throws AUDIT_UNAVAILABLE. */
export async function auditRequested(context: AuditWriter, trail: Trail): Promise<void> {
  try {
    await append(context, trail, { outcome: 'requested', code: null, after: null });
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    throw new CodedError('AUDIT_UNAVAILABLE', said('audit:unavailable', { because }));
  }
}

/**
 * The entry that tells how it went. The act is over and cannot be taken back, so a store that breaks just
 * then raises an alert instead of turning a success into an error.
 */
export async function auditOutcome(
  context: AuditWriter & { analysis: Pick<Analysis, 'note'> },
  trail: Trail,
  outcome: Outcome,
): Promise<void> {
  try {
    await append(context, trail, outcome);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    context.analysis.note({
      id: `store-broken:audit:${trail.requestId}`,
      code: 'store-broken',
      severity: 'critical',
      subject: { kind: 'target', label: context.targetId, locks: [], deadlockId: null },
      summary: [
        sentence('store-broken:outcome-not-audited', {
          outcome: outcome.outcome,
          action: trail.action,
          because,
        }),
      ],
      remedy: [sentence('store-broken:outcome-remedy', {})],
      since: context.now(),
      count: 1,
      evidence: 'observed',
      moment: true,
    });
  }
}
