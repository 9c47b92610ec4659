import type { NoticeRecord } from '@/server/notify/notice-record';
import { post } from '@/server/notify/post';
import { joinedWords, wordsOf, type Words } from '@/server/notify/wording';
import type { Kind } from './kind';

/** Slack refuses what is longer. */
const LONGEST_HEADER = 150;
const LONGEST_SECTION = 3000;
const SHORTEST_TOKEN = 6;
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Text as it is, in Slack and in what is compatible with it: `&`, `<` and `>` as entities
 * (https://docs.slack.dev/messaging/formatting-message-text), nobody called by an `@`, no mark that formats.
 */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[@*_~`]/g, (mark) => `${mark}${ZERO_WIDTH_SPACE}`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Plain text as Slack wants it, cut before it is longer than Slack takes. */
function fitting(text: string, most: number): string {
  let out = '';
  for (const character of text) {
    const next = ENTITIES[character] ?? character;
    if (out.length + next.length > most) return `${out}…`;
    out += next;
  }
  return out;
}

const plain = (text: string, most: number) => ({
  type: 'plain_text',
  text: fitting(text, most - 1),
  emoji: false,
});

const link = ({ url, label }: Words['link']): string => `<${url}|${escaped(label)}>`;

const open = (to: Words['link']) => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: link(to) }],
});

const header = (title: string) => ({ type: 'header', text: plain(title, LONGEST_HEADER) });

const section = (text: string) => ({ type: 'section', text: plain(text, LONGEST_SECTION) });

function single(notice: NoticeRecord, publicUrl: string) {
  const words = wordsOf(notice, publicUrl);
  const facts = words.facts.map(({ label, text }) => `${label}: ${text}`).join('\n');
  return {
    text: `${escaped(words.title)}\n${escaped(words.summary)}\n${link(words.link)}`,
    blocks: [
      header(words.title),
      section(words.summary),
      ...(facts === '' ? [] : [section(facts)]),
      open(words.link),
    ],
  };
}

function joined(notices: readonly NoticeRecord[], publicUrl: string) {
  const words = joinedWords(notices, publicUrl);
  const lines = [...words.items.map(({ title, summary }) => `${title} – ${summary}`)];
  if (words.more !== null) lines.push(words.more);
  return {
    text: [words.title, words.summary].map(escaped).concat(link(words.link)).join('\n'),
    blocks: [
      header(words.title),
      section(words.summary),
      ...lines.map((line) => section(line)),
      open(words.link),
    ],
  };
}

/** What a URL is made of, each part long enough to be a token; a receiver may repeat one of them alone. */
const partsOf = ({ pathname, search }: URL): string[] => [
  ...[pathname, search].filter((part) => part.length > 1),
  ...`${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= SHORTEST_TOKEN),
];

export const slack: Kind<'slack'> = {
  joins: true,
  destination: ({ secret }) => (secret ? new URL(secret).host : ''),
  boundTo: () => '',
  send: async ({ secret = '' }, { notices, publicUrl, signal }) => {
    const [first] = notices;
    const content =
      first && notices.length === 1 ? single(first, publicUrl) : joined(notices, publicUrl);
    const url = new URL(secret);
    return await post({
      url,
      body: JSON.stringify(content),
      signal,
      hidden: [secret, ...partsOf(url)],
    });
  },
};
