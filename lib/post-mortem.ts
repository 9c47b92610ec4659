import { labels } from '@/lib/messages/en/labels';
import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import { lockCountOf } from '@/lib/analysis/alert-locks';
import { AlertDetail, type Alert, type AlertEvent } from '@/lib/protocol/alert';
import { isMoment } from '@/lib/protocol/time';

const POST_MORTEM_FORMS = ['markdown', 'json'] as const;
export type PostMortemForm = (typeof POST_MORTEM_FORMS)[number];

export const isPostMortemForm = (name: string): name is PostMortemForm =>
  POST_MORTEM_FORMS.some((form) => form === name);

/** What the query `alert` answers, however it came. Throws where it is something else. */
export const toDetail = (answer: unknown): AlertDetail => AlertDetail.parse(answer);

/** One alert as a text to paste: Markdown, whose times are UTC and whose language is English, or the data of it. */
export const postMortem = (detail: AlertDetail, form: PostMortemForm): string =>
  form === 'json' ? `${JSON.stringify(detail, null, 2)}\n` : markdown(detail);

const MARKS = /[\\`*_{}[\]<>|~#&$!]/g;

/** Text in which nothing is taken for a mark, a link, an image or HTML (CommonMark 0.31 §2.4, GFM §6.9). */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(MARKS, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/www\./gi, (www) => `${www.slice(0, -1)}\\.`);

/** A name as code: no mention and no link, whatever is in it. The bar would end a table's cell even there. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/gu, ' ').replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(line) || line === '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** To the millisecond, as a timeline needs it; the zone is named where it is used. */
const utc = (at: number): string =>
  isMoment(at) ? new Date(at).toISOString().replace('T', ' ').slice(0, 23) : '?';

const lasted = (ms: number): string => inEnglish([sentence('timeline:lasted', { lastedMs: ms })]);

const alertedOf = ({ alertedAt, resolvedAt }: Alert): string[] => {
  if (alertedAt === undefined) return [];
  if (alertedAt !== null) return [`- alerted at: ${utc(alertedAt)} UTC`];
  return [resolvedAt === null ? '- has not alerted yet' : '- never alerted'];
};

/** Who did it, where somebody did, is named in the text. */
const endingOf = ({ ending }: Alert): string[] =>
  ending
    ? [`- how it ended: ${escapeMarkdown(ending.text)} (${ending.evidence}, ${utc(ending.at)} UTC)`]
    : [];

const titleOf = ({ code, subject }: Alert): string =>
  `# ${labels.alertCodes[code]}: ${codeSpan(subject.label)}`;

function markdown(detail: AlertDetail): string {
  const { alert, events, isCut } = detail;
  return [
    titleOf(alert),
    '',
    escapeMarkdown(alert.summary),
    '',
    ...factsOf(alert),
    '',
    '## Impact',
    '',
    ...impactOf(detail),
    '',
    '## Timeline (UTC)',
    '',
    ...(isCut ? ['Only the newest lines are here; there were more.', ''] : []),
    '| Time | What | Who | Evidence |',
    '| --- | --- | --- | --- |',
    ...events.map(rowOf),
    '',
    '## Who acted (UTC)',
    '',
    ...actsOf(events),
    '',
    '## Remedy',
    '',
    escapeMarkdown(alert.remedy),
    '',
  ].join('\n');
}

function factsOf(alert: Alert): string[] {
  const { severity, state, target, since, resolvedAt, evidence, labels: named, flaps = 0 } = alert;
  const names = (['class', 'namespace', 'owner', 'node'] as const).flatMap((name) => {
    const value = named?.[name] ?? null;
    return value === null ? [] : [`- ${name}: ${codeSpan(value)}`];
  });
  return [
    `- severity: ${severity}`,
    `- state: ${state}`,
    `- Redis: ${codeSpan(target)}`,
    ...names,
    `- condition since: ${utc(since)} UTC`,
    ...alertedOf(alert),
    resolvedAt === null
      ? '- not resolved yet'
      : `- resolved at: ${utc(resolvedAt)} UTC, ${lasted(resolvedAt - since)} after the condition began`,
    ...endingOf(alert),
    `- evidence: ${evidence}`,
    ...(flaps > 0 ? [`- came back: ${flaps}×`] : []),
    `- id: ${codeSpan(alert.id)}`,
  ];
}

const MOST_LISTED = 20;

function impactOf({ alert, impact }: AlertDetail): string[] {
  const { locks } = alert.subject;
  const listed = locks
    .slice(0, MOST_LISTED)
    .map(({ db, key }) => `  - ${codeSpan(key)} in db ${db}`);
  const unlisted = lockCountOf(alert) - listed.length;
  const lines = [
    `- counted: ${alert.count}`,
    ...(listed.length > 0 ? ['- locks:', ...listed] : []),
    ...(unlisted > 0 && listed.length > 0 ? [`  - and ${unlisted} more`] : []),
  ];
  if (!impact) return [...lines, '- of these locks no history is kept for that time'];
  return [
    ...lines,
    `- held for ${lasted(impact.heldMs)} in ${impact.acquisitions} acquisitions`,
    `- lost without a release: ${impact.lost}`,
    impact.waitedMs === null
      ? '- waiting: nobody can see who waits for these locks'
      : `- waited for ${lasted(impact.waitedMs)}, all waiters added up`,
  ];
}

const rowOf = ({ at, text, actor, evidence }: AlertEvent): string =>
  `| ${utc(at)} | ${escapeMarkdown(text)} | ${actor === null ? 'Lockscope' : codeSpan(actor)} | ${evidence ?? ''} |`;

function actsOf(events: readonly AlertEvent[]): string[] {
  const acts = events.filter(({ actor }) => actor !== null);
  if (acts.length === 0) return ['Nobody did anything that is recorded.'];
  return acts.map(({ at, actor, text }) => {
    // Most sentences name who did it themselves.
    const isNamed = actor !== null && text.startsWith(actor);
    return `- ${utc(at)} ${isNamed ? '' : `${codeSpan(actor ?? '')}: `}${escapeMarkdown(text)}`;
  });
}
