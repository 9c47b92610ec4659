import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import { Alert } from '@/lib/protocol/alert';
import { DELIVERY_EVENTS } from '@/lib/protocol/closed-sets';
import type { Delivery } from '@/lib/protocol/notify';
import type { NoticeRow } from '@/server/store/store-contract';
import { createTurns } from '@/server/store/turns';

/** What a notice carries of an alert about many locks. */
const LOCKS_TOLD = 20;

const Kept = z.object({
  target: z.string(),
  channelName: z.string(),
  event: z.enum(DELIVERY_EVENTS),
  /** Which time it is: an alert that was told as resolved and comes back is told anew. */
  since: z.number(),
  alert: Alert.nullable(),
  attempts: z.number(),
  deliveredAt: z.number().nullable(),
  error: z.string().nullable(),
  /** When the first attempt of those that failed did. */
  failedAt: z.number().nullable(),
  /** An attempt had no answer, so it may have arrived. */
  maybeSeen: z.boolean(),
});

/** One thing of which one channel is told, and how that goes. Replaced, never changed. */
export interface NoticeRecord extends z.infer<typeof Kept> {
  id: string;
  channel: string;
  at: number;
  /** When it is tried next; null = delivered or given up. */
  nextAt: number | null;
}
export type DeliveryEvent = NoticeRecord['event'];

/** The same for the same thing, whoever works it out and however often. */
const noticeId = (parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** Without what no message says: it lies in the database once for each channel. */
const toldOf = (alert: Alert): Alert => ({
  ...alert,
  subject: { ...alert.subject, locks: alert.subject.locks.slice(0, LOCKS_TOLD) },
  sentences: undefined,
});

export function newNotice(options: {
  target: string;
  channel: { id: string; name: string };
  event: DeliveryEvent;
  since: number;
  alert: Alert | null;
  now: number;
}): NoticeRecord {
  const { target, channel, event, since, alert, now } = options;
  return {
    id: noticeId([target, alert?.id ?? '', channel.id, event, since]),
    channel: channel.id,
    channelName: channel.name,
    ...{ target, event, since, at: now, nextAt: now },
    alert: alert && toldOf(alert),
    ...{ attempts: 0, deliveredAt: null, error: null, failedAt: null, maybeSeen: false },
  };
}

/** The id of several that are sent as one. */
export const joinedId = (notices: readonly NoticeRecord[]): string => {
  const [first] = notices;
  if (first && notices.length === 1) return first.id;
  return noticeId(['joined', ...notices.map(({ id }) => id)]);
};

export const rowOf = ({ id, channel, at, nextAt, ...kept }: NoticeRecord): NoticeRow => ({
  ...{ id, channel, at },
  alert: kept.alert?.id ?? null,
  dueAt: nextAt,
  value: kept,
});

/** Without those that only another version understands: what waits of them is told when that one starts. */
export async function recordsOf(rows: readonly NoticeRow[]): Promise<NoticeRecord[]> {
  const records: NoticeRecord[] = [];
  const turns = createTurns();
  for (const { id, channel, at, dueAt, value } of rows) {
    const kept = Kept.safeParse(value);
    if (kept.success) records.push({ ...{ id, channel, at }, nextAt: dueAt, ...kept.data });
    if (turns.isDue()) await turns.next();
  }
  return records;
}

export const deliveryOf = (notice: NoticeRecord): Delivery => ({
  ...{ id: notice.id, channel: notice.channel, channelName: notice.channelName },
  alert: notice.alert?.id ?? null,
  summary: notice.alert
    ? `${notice.alert.subject.label} – ${notice.alert.summary}`
    : inEnglish([sentence('notify:test-summary', {})]),
  ...{ event: notice.event, at: notice.at, attempts: notice.attempts },
  ...{ deliveredAt: notice.deliveredAt, nextAt: notice.nextAt, error: notice.error },
});

export const isPending = ({ nextAt }: NoticeRecord): boolean => nextAt !== null;

/** Nobody can have seen it. */
export const isUnseen = (notice: NoticeRecord): boolean =>
  notice.deliveredAt === null && !notice.maybeSeen;
