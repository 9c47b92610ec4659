import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { Alert, AlertDetail, AlertEvent } from '@/lib/protocol/alert';
import type { AuditEntry } from '@/lib/protocol/audit';
import { fromBase64Url } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { said } from '@/lib/messages/in-english';
import { LOST_REASONS } from '@/lib/protocol/lock';
import type { AlertParams } from '@/lib/protocol/queries';
import type { LockName, Rollup } from '@/server/store/history-contract';
import type { QueryContext } from './query-context';

const MOST_EVENTS = 500;
/** The audit is asked for each lock by itself. */
const MOST_LOCKS_ASKED = 20;
const MOST_ACTS = 100;
/** What ended an alert is audited when it is over, a little later than its effect was seen. */
const ACT_SLACK_MS = 5_000;

/** One alert with its timeline. Throws NOT_FOUND. */
export async function alert(context: QueryContext, { id }: AlertParams): Promise<AlertDetail> {
  const found = context.alerts.get(id) ?? (await context.store.alert(id));
  if (!found || found.target !== context.targetId) {
    throw new CodedError('NOT_FOUND', said('not-found:any-alert', {}), { id });
  }
  const [own, acts, impact] = await Promise.all([
    ownEvents(context, id),
    actsOn(context, found),
    impactOf(context, found),
  ]);
  const events = joinEvents([own, acts]);
  return {
    alert: found,
    events: events.slice(-MOST_EVENTS),
    isCut: events.length > MOST_EVENTS || acts.length >= MOST_ACTS,
    impact,
  };
}

/** All there is to tell of one alert, oldest first. */
const joinEvents = (parts: readonly AlertEvent[][]): AlertEvent[] =>
  parts.flat().toSorted((a, b) => a.at - b.at);

/** What is saved, with what has not been yet; deliveries are saved among them. */
async function ownEvents({ store, alerts }: QueryContext, id: string): Promise<AlertEvent[]> {
  // First: what is saved while the store is asked would be in neither.
  const unsaved = [...alerts.unsavedEvents(id)];
  const stored = await store.alertEvents({ alert: id, limit: MOST_EVENTS + 1 });
  const known = new Set(stored.map(nameOf));
  return [...stored, ...unsaved.filter((event) => !known.has(nameOf(event)))];
}

const nameOf = ({ at, kind, text }: AlertEvent): string => `${at} ${kind} ${text}`;

const locksOf = ({ subject }: Alert): LockName[] =>
  subject.locks.flatMap(({ db, keyB64 }) => {
    const key = fromBase64Url(keyB64);
    return key === null ? [] : [{ db, key }];
  });

/** What people did to its locks while it lasted: what they did to the alert is in its own timeline. */
async function actsOn({ store, targetId }: QueryContext, of: Alert): Promise<AlertEvent[]> {
  const range = {
    from: of.since,
    ...(of.resolvedAt !== null && { to: of.resolvedAt + ACT_SLACK_MS }),
  };
  const found: AlertEvent[] = [];
  for (const { db, key } of of.subject.locks.slice(0, MOST_LOCKS_ASKED)) {
    const { items } = await store.audit({ ...range, key, limit: MOST_ACTS });
    const acts = items.filter(
      (entry) => entry.target === targetId && entry.db === db && isAct(entry),
    );
    found.push(...acts.map((entry) => actOf(of.id, entry)));
  }
  return found.toSorted((a, b) => a.at - b.at).slice(-MOST_ACTS);
}

const isAct = ({ action, outcome }: AuditEntry): boolean =>
  action.startsWith('lock.') && outcome !== 'requested';

function actOf(id: string, { at, actor, action, key, outcome, reason }: AuditEntry): AlertEvent {
  const sentences = [
    sentence('timeline:acted', { actor, action, key: key ?? '', outcome }),
    ...(reason === null ? [] : [sentence('timeline:acted-reason', { reason })]),
  ];
  const text = inEnglish(sentences);
  return { alert: id, at, kind: 'acted', actor, text, sentences, evidence: 'observed' };
}

/** Steps of history that reach into the life count whole. */
async function impactOf(
  context: QueryContext,
  of: Alert,
): Promise<NonNullable<AlertDetail['impact']> | null> {
  const locks = locksOf(of);
  const to = of.resolvedAt ?? context.now();
  if (locks.length === 0 || of.since >= to) return null;
  const query = { level: 'lock', locks, stepMs: null, sketches: [] } as const;
  const sums = await context.history.rollups({ ...query, from: of.since, to });
  return sums.length === 0 ? null : addUp(sums, { from: of.since, to });
}

function addUp(
  sums: readonly Rollup[],
  range: { from: number; to: number },
): NonNullable<AlertDetail['impact']> {
  const impact: NonNullable<AlertDetail['impact']> = {
    ...range,
    ...{ acquisitions: 0, lost: 0, heldMs: 0, waitedMs: null },
  };
  for (const { acquisitions, heldMs, waiterMs, ends } of sums) {
    impact.acquisitions += acquisitions;
    impact.heldMs += heldMs;
    for (const reason of LOST_REASONS) impact.lost += ends[reason] ?? 0;
    if (waiterMs !== null) impact.waitedMs = (impact.waitedMs ?? 0) + waiterMs;
  }
  return impact;
}
