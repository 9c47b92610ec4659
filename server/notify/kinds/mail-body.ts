import type { NoticeRecord } from '@/server/notify/notice-record';
import { joinedWords, wordsOf, type Words } from '@/server/notify/wording';

export interface MailBody {
  subject: string;
  text: string;
  html: string;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => ENTITIES[each] ?? each);

const anchor = ({ url, label }: Words['link']): string =>
  `<p><a href="${escaped(url)}">${escaped(label)}</a></p>`;

const page = (title: string, content: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(title)}</title></head>` +
  `<body style="font-family:sans-serif;font-size:14px">${content}</body></html>`;

const table = (facts: Words['facts']): string => {
  const rows = facts.map(
    ({ label, text }) =>
      `<tr><th align="left" valign="top" style="padding-right:12px">${escaped(label)}</th>` +
      `<td style="word-break:break-word">${escaped(text)}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
};

function single(notice: NoticeRecord, publicUrl: string): MailBody {
  const { title, summary, facts, link } = wordsOf(notice, publicUrl);
  const lines = facts.map(({ label, text }) => `${label}: ${text}`);
  return {
    subject: title,
    text: [summary, '', ...lines, '', `${link.label}: ${link.url}`, ''].join('\n'),
    html: page(title, `<p>${escaped(summary)}</p>${table(facts)}${anchor(link)}`),
  };
}

function joined(notices: readonly NoticeRecord[], publicUrl: string): MailBody {
  const { title, summary, items, more, link } = joinedWords(notices, publicUrl);
  const listed = items.map((item) => `- ${item.title}\n  ${item.summary}\n  ${item.link.url}`);
  const htmlItems = items.map(
    (item) =>
      `<li><a href="${escaped(item.link.url)}">${escaped(item.title)}</a><br>${escaped(item.summary)}</li>`,
  );
  const rest = more === null ? [] : [more];
  return {
    subject: title,
    text: [summary, '', ...listed, ...rest, '', `${link.label}: ${link.url}`, ''].join('\n'),
    html: page(
      title,
      `<p>${escaped(summary)}</p><ul>${htmlItems.join('')}</ul>${rest.map(escaped).join('')}${anchor(link)}`,
    ),
  };
}

/** The mail about one notice, or about several at once. */
export function mailBody(notices: readonly NoticeRecord[], publicUrl: string): MailBody {
  const [first] = notices;
  return first && notices.length === 1 ? single(first, publicUrl) : joined(notices, publicUrl);
}
