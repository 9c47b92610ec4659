import { said } from '@/lib/messages/in-english';
import { formatTable } from '@/lib/formats';
import { printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { Lock, LockDetail } from '@/lib/protocol/lock';
import type { Said } from '@/lib/protocol/sentence';
import type { LockParams } from '@/lib/protocol/queries';
import {
  waitTraits,
  type LockFormat,
  type RawValue,
  type RecognitionReason,
} from '@/lib/formats/format';
import type { LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import type { HoldRow } from '@/server/store/store-contract';
import { lockAddress, unknownLock } from './lock-address';
import { lockCommands, lookCommands } from './lock-commands';
import { holdsInTable, holdsPending, mergeHolds } from './past-holds';
import { overrunsOf } from './overruns';
import type { QueryContext, ServerContext } from './query-context';
import { rawView } from './raw-view';
import { actorObstacle, releaseObstacle } from './release-check';
import { repairsOf } from './repairs';
import { sampledOf } from './sampled';

const MAX_HOLDS = 100;

async function rowsOf(context: ServerContext, db: number, key: Bytes): Promise<HoldRow[]> {
  const stored = await context.store.holds({ target: context.targetId, db, key, limit: MAX_HOLDS });
  return [...stored, ...holdsPending(context, (row) => row.db === db && row.key === key)];
}

function whyOf(reason: RecognitionReason | null): Said {
  if (reason === null) return said('because:not-read', {});
  return 'prefix' in reason
    ? said(`because:${reason.id}`, { prefix: printable(reason.prefix) })
    : said(`because:${reason.id}`, {});
}

function libraryOf(format: LockFormat, value: RawValue | null, why: Said): LockDetail['library'] {
  const traits = waitTraits(format, value);
  const { waiters, releaseNotes } = traits;
  // A value of another type is of clients that listen to nothing.
  const isWoken = traits === format && format.wake !== undefined;
  return {
    name: format.name,
    why: why.text,
    releaseNotes,
    wakes: format.release !== null && (isWoken || isWokenWith(waiters)),
    readOnly: format.readOnly,
    ...(format.oldHolder && { oldHolder: format.oldHolder }),
  };
}

const isWokenWith = (waiters: LockFormat['waiters']): boolean =>
  waiters === 'fair-queue' || waiters === 'pubsub';

/** All formats that fit, the one shown first; nothing where it stands alone. */
function candidatesOf(record: LockRecord, why: Said): LockDetail['candidates'] {
  const { format, otherFormats } = record;
  if (otherFormats.length === 0) return undefined;
  const first = { format: format.id, name: format.name, why: why.sentences };
  const others = otherFormats.map(({ format: other, recognition }) => ({
    format: other.id,
    name: other.name,
    why: whyOf(recognition.because).sentences,
  }));
  return [first, ...others];
}

function detailOf(context: QueryContext, record: LockRecord, rows: HoldRow[]): LockDetail {
  const now = context.now();
  const lock = toLock(record, context.alerts.codesFor(record.db, record.key), now);
  const holds = mergeHolds(rows, holdsInTable(context, record.db, record.key));
  const obstacle =
    actorObstacle(context.actor, record.namespace) ?? releaseObstacle(context, record);
  const why = whyOf(record.formatBecause);
  const candidates = candidatesOf(record, why);
  const repairs = repairsOf(context, record);
  return {
    ...lock,
    ...(candidates && { candidates }),
    ...(record.brokenBecause !== null && { broken: record.brokenBecause }),
    ...(repairs && { repairs }),
    holds: holds
      .filter(({ past }) => past.end !== null)
      .slice(0, MAX_HOLDS)
      .map(({ past }) => past),
    waiters: lock.waiting.owners,
    raw: rawView(record),
    library: libraryOf(record.format, record.raw, why),
    commands: lockCommands(record, context.config.redis.url, now),
    ...sampledOf(context, record.db, record.key),
    ...overrunsOf(context, record.db, record.key),
    canRelease: obstacle === null,
    cannotReleaseBecause: obstacle?.said.text ?? null,
    sentences: { why: why.sentences, cannotReleaseBecause: obstacle?.said.sentences ?? [] },
  };
}

/** A lock that only history knows: free, with what it once was. */
function forgottenLock(context: QueryContext, newest: HoldRow): Lock {
  const format = formatTable.byId(newest.formatId);
  const { past } = newest;
  return {
    target: context.targetId,
    db: newest.db,
    key: printable(newest.key),
    keyB64: toBase64Url(newest.key),
    format: format.id,
    formatCertain: true,
    kind: format.kind,
    class: newest.class,
    namespace: newest.namespace,
    state: 'free',
    hold: null,
    members: [],
    waiting: { evidence: 'unknown', count: null, unit: 'owners', source: 'not-probed', owners: [] },
    lastEnd:
      past.end !== null && past.endReason !== null
        ? {
            generation: past.generation,
            owner: past.owner,
            at: past.end,
            reason: past.endReason,
            evidence: past.evidence,
            notes: past.notes,
          }
        : null,
    acquisitions: newest.acquisitions,
    alerts: context.alerts.codesFor(newest.db, newest.key),
  };
}

function detailFromHistory(context: QueryContext, newest: HoldRow, rows: HoldRow[]): LockDetail {
  const lock = forgottenLock(context, newest);
  const why = said('because:last-held', {});
  const because = said('release:nobody-holds', {});
  const holds = mergeHolds(rows).map(({ past }) => past);
  return {
    ...lock,
    holds: holds.filter((past) => past.end !== null).slice(0, MAX_HOLDS),
    waiters: [],
    raw: null,
    library: libraryOf(formatTable.byId(lock.format), null, why),
    ...overrunsOf(context, newest.db, newest.key),
    commands: lookCommands(
      { url: context.config.redis.url, db: newest.db },
      newest.key,
      formatTable.byId(lock.format).type,
    ),
    canRelease: false,
    cannotReleaseBecause: because.text,
    sentences: { why: why.sentences, cannotReleaseBecause: because.sentences },
  };
}

/** Everything about one lock. Throws NOT_FOUND when neither the table nor history knows the key. */
export async function lock(context: QueryContext, params: LockParams): Promise<LockDetail> {
  const { db, key } = lockAddress(context, params);
  const rows = await rowsOf(context, db, key);
  const record = context.table.get(db, key);
  if (record) return detailOf(context, record, rows);
  const newest = rows.toSorted((a, b) => b.past.start - a.past.start)[0];
  if (newest) return detailFromHistory(context, newest, rows);
  throw unknownLock(context, { db, key });
}
