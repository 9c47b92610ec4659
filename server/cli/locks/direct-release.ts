import { mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { said, inEnglish } from '@/lib/messages/in-english';
import { printable } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { releaseCall, type SeenLock } from '@/lib/formats/release-call';
import {
  auditOutcome,
  auditRequested,
  outcomeOf,
  type AuditWriter,
  type Trail,
} from '@/server/actions/audit-trail';
import { runScript } from '@/server/actions/run-script';
import type { Settings } from '@/server/config';
import { holderChanged } from '@/server/queries/release-check';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import { sentenceOf } from '@/server/store/health';
import { createStore } from '@/server/store/store';
import type { Found } from './find-lock';
import type { LockView } from './lock-view';
import { watchForReturn } from './watch-for-return';

export interface ReleaseRequest {
  reason: string;
  businessId: string | null;
  /** As the audit names who did it. */
  actor: string;
  /** Told what went wrong after the release was done. */
  warn: (sentence: string) => void;
}

export interface Released {
  outcome: 'released';
  /** Null where the library has nobody to wake, or where Redis does not count who is. */
  wokeWaiters: number | null;
  /** The same holder held it again within the time that it was watched for. */
  cameBack: boolean;
  watchedForMs: number;
  /** Where the release is recorded. */
  recordedBy: 'console' | 'command-line';
}

/** A hold that can be released, as it was shown. */
export interface Releasable {
  record: LockRecord;
  hold: HoldRecord;
  seen: SeenLock;
}

/** Throws what keeps the lock from being released: CONFLICT, READ_ONLY_FORMAT, TOO_MANY. */
export function releasableOf({ record, key }: Pick<Found, 'record' | 'key'>): Releasable {
  if (!record?.hold || (!record.raw && !record.format.releaseBeside)) {
    const values = { key: printable(key) };
    throw new CodedError('CONFLICT', said('release:gone', values), { holder: null });
  }
  const { format, hold, raw, beside } = record;
  if (format.readOnly || !format.release) {
    throw new CodedError('READ_ONLY_FORMAT', said('release:own-tools', { library: format.name }));
  }
  if (raw?.truncated) {
    throw new CodedError('TOO_MANY', said('release:too-large', { size: raw.size }));
  }
  return { record, hold: { ...hold }, seen: { key, format, raw, beside } };
}

/**
 * Releases the hold that was shown, if it is still that one, and records request and outcome in the store of
 * the settings. Throws AUDIT_UNAVAILABLE before anything is done, CONFLICT with the present holder,
 * CAPABILITY_MISSING, TARGET_UNAVAILABLE.
 */
export async function releaseDirectly(
  view: LockView,
  settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'redis'>,
  { shown, request }: { shown: Releasable; request: ReleaseRequest },
): Promise<Released> {
  const store = await openStore(settings, view.now);
  try {
    const writer = {
      store,
      actor: { name: request.actor },
      targetId: new URL(settings.redis.displayUrl).host,
      now: view.now,
      analysis: {
        note: ({ summary }: { summary: Parameters<typeof inEnglish>[0] }) =>
          request.warn(inEnglish(summary)),
      },
    };
    const wokeWaiters = await audited(writer, trailOf(shown, request, view.now()), () =>
      deleteShown(view, shown),
    );
    const back = await watchForReturn(view, shown, request.warn);
    return { outcome: 'released', wokeWaiters, ...back, recordedBy: 'command-line' };
  } finally {
    await store.stop();
  }
}

async function openStore(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  now: () => number,
) {
  const store = createStore({ databaseUrl, dataDir, now, tidies: false });
  try {
    // As the console makes it: its database and its secrets are nobody else's to read.
    if (databaseUrl === null) await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await store.start();
    return store;
  } catch (error) {
    const because = sentenceOf(error);
    throw new CodedError('AUDIT_UNAVAILABLE', said('audit:unavailable', { because }));
  }
}

function trailOf({ record }: Releasable, request: ReleaseRequest, now: number): Trail {
  const { state, hold } = toLock(record, [], now);
  const before = { state, hold, format: record.format.id };
  return {
    action: 'lock.release',
    requestId: randomUUID(),
    reason: request.reason,
    businessId: request.businessId,
    subject: { db: record.db, key: record.key, namespaces: [record.namespace], before },
  };
}

async function audited(
  writer: AuditWriter & Parameters<typeof auditOutcome>[0],
  trail: Trail,
  act: () => Promise<number | null>,
): Promise<number | null> {
  await auditRequested(writer, trail);
  let wokeWaiters: number | null;
  try {
    wokeWaiters = await act();
  } catch (error) {
    await auditOutcome(writer, trail, outcomeOf(error));
    throw error;
  }
  const after = { state: 'free', wokeWaiters };
  await auditOutcome(writer, trail, { outcome: 'done', code: null, after });
  return wokeWaiters;
}

/** Returns how many waiters were woken, null where nobody listens. */
async function deleteShown(view: LockView, shown: Releasable): Promise<number | null> {
  const { db } = shown.record;
  const call = releaseCall(shown.seen, view.now());
  if (!call) throw await conflict(view, shown);
  const runner = {
    watch: { commandConnection: view.redis, status: () => ({ missingRules: [] }) },
  };
  const { status, woken } = await runScript(runner, { db, ...call });
  if (status === 1) return woken < 0 ? null : woken;
  throw await conflict(view, shown);
}

/** Not what was shown any more: who holds it now. */
async function conflict(view: LockView, shown: Releasable): Promise<CodedError> {
  const { db, key } = shown.record;
  const { record } = await view.readNow(db, key);
  const hold = record?.hold ?? null;
  const owner = hold?.owner?.id ?? null;
  const expected = shown.hold.owner?.id ?? null;
  const why = holderChanged({
    ...{ key, expected, now: view.now() },
    present: hold && { owner, since: hold.since, depth: hold.depth },
    isSameHold: hold?.token === shown.hold.token,
  });
  const details = hold && { depth: hold.depth, since: hold.since };
  return new CodedError('CONFLICT', why, { expected, holder: owner, ...details });
}
