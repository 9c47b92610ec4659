import { inEnglish } from '@/lib/messages/in-english';
import { labels } from '@/lib/messages/en/labels';
import { sentence, type SentenceId, type SentenceValues } from '@/lib/messages/sentence';
import type { Alert, AlertEnding } from '@/lib/protocol/alert';
import { printableText } from '@/lib/protocol/bytes';
import { SEVERITIES } from '@/lib/protocol/closed-sets';
import type { NoticeRecord } from './notice-record';

/** What a message says, each on one line of plain text without characters that disguise. */
export interface Words {
  /** For a subject line. */
  title: string;
  summary: string;
  facts: { label: string; text: string }[];
  /** Where to look. */
  link: { label: string; url: string };
}

const LONGEST_TITLE = 180;
const LONGEST_TEXT = 1500;
/** Locks that are named. */
const NAMED = 3;
/** Of several that are told as one, so many are told each by each. */
const TOLD_EACH = 20;

const say = <Id extends SentenceId>(id: Id, values: SentenceValues<Id>): string =>
  inEnglish([sentence(id, values)]);

/** One line, of bounded length. Keys are printable already; what a library put into a token or a host is not. */
export const oneLine = (text: string, most = LONGEST_TEXT): string => {
  const line = printableText(text).trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

export const alertUrl = (publicUrl: string, alert: string): string =>
  `${publicUrl}/alerts/${encodeURIComponent(alert)}`;

const utc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function titleOf({ event, alert }: NoticeRecord): string {
  if (!alert || event === 'test') return say('notify:title-test', {});
  const values = { code: labels.alertCodes[alert.code], subject: alert.subject.label };
  if (event === 'firing') {
    return say('notify:title-firing', { ...values, severity: alert.severity });
  }
  return say(`notify:title-${event}`, values);
}

function locksOf({ subject, count }: Alert): string {
  const named = subject.locks
    .slice(0, NAMED)
    .map(({ db, key }) => (db === 0 ? key : `${key} (db ${db})`));
  const locks = named.join(', ');
  const more = Math.max(count, subject.locks.length) - named.length;
  return more > 0 && subject.kind === 'locks'
    ? say('notify:more-locks', { locks, count: more })
    : locks;
}

/** What is over is told by what ended it, where that was seen. */
const endingIn = (event: NoticeRecord['event'], { ending }: Alert): AlertEnding | null =>
  event === 'resolved' ? (ending ?? null) : null;

function factsOf({ event, alert }: NoticeRecord): Words['facts'] {
  if (!alert) return [];
  const locks = locksOf(alert);
  const facts: [SentenceId & `notify:label-${string}`, string | null][] = [
    ['notify:label-about', locks === '' ? alert.subject.label : null],
    ['notify:label-was', endingIn(event, alert) && alert.summary],
    ['notify:label-lock', locks],
    ['notify:label-class', alert.labels?.class ?? null],
    ['notify:label-holder', alert.labels?.owner ?? null],
    ['notify:label-since', utc(alert.since)],
    ['notify:label-alerted', alert.alertedAt == null ? null : utc(alert.alertedAt)],
    ['notify:label-resolved', alert.resolvedAt === null ? null : utc(alert.resolvedAt)],
    ['notify:label-evidence', endingIn(event, alert)?.evidence ?? alert.evidence],
    ['notify:label-redis', alert.target],
    ['notify:label-remedy', event === 'resolved' ? null : alert.remedy],
  ];
  return facts.flatMap(([id, text]) => (text ? [{ label: say(id, {}), text: oneLine(text) }] : []));
}

function summaryOf({ event, alert }: NoticeRecord): string {
  if (!alert) return say('notify:test-summary', {});
  return endingIn(event, alert)?.text ?? alert.summary;
}

/** What is said of one notice. */
export function wordsOf(notice: NoticeRecord, publicUrl: string): Words {
  const { alert } = notice;
  const url = alert ? alertUrl(publicUrl, alert.id) : `${publicUrl}/alerts`;
  return {
    title: oneLine(titleOf(notice), LONGEST_TITLE),
    summary: oneLine(summaryOf(notice)),
    facts: factsOf(notice),
    link: { label: say('notify:label-open', {}), url },
  };
}

export interface JoinedWords {
  title: string;
  /** How many, and why they are one message. */
  summary: string;
  /** The first of them. */
  items: Words[];
  /** That there are others; null when there are none. */
  more: string | null;
  link: Words['link'];
}

/** What is said of several at once. */
export function joinedWords(notices: readonly NoticeRecord[], publicUrl: string): JoinedWords {
  const count = notices.length;
  const items = notices.slice(0, TOLD_EACH).map((notice) => wordsOf(notice, publicUrl));
  const severities = notices.flatMap(({ alert }) => (alert ? [alert.severity] : []));
  const severity = SEVERITIES.find((each) => severities.includes(each)) ?? 'info';
  const more = count - items.length;
  const first = items[0]?.title ?? '';
  return {
    title: oneLine(say('notify:title-joined', { severity, count, first }), LONGEST_TITLE),
    summary: say('notify:joined', { count }),
    items,
    more: more > 0 ? say('notify:joined-more', { count: more }) : null,
    link: { label: say('notify:label-open', {}), url: `${publicUrl}/alerts` },
  };
}
