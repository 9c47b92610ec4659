import { post } from '@/server/notify/post';
import { oneLine, wordsOf } from '@/server/notify/wording';
import type { DeliveryEvent, NoticeRecord } from '@/server/notify/notice-record';
import type { Kind } from './kind';

const ENDPOINT = 'https://events.pagerduty.com/v2/enqueue';
const LONGEST_SUMMARY = 1024;

const ACTIONS: Record<DeliveryEvent, 'trigger' | 'acknowledge' | 'resolve'> = {
  firing: 'trigger',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
  test: 'trigger',
};

/** One incident for each alert, however often it is told of. */
const dedupKey = ({ id, alert }: NoticeRecord): string =>
  `lockscope:${alert?.id ?? id}`.slice(0, 255);

function payloadOf(notice: NoticeRecord, publicUrl: string) {
  const { alert, at } = notice;
  const { title, summary, facts } = wordsOf(notice, publicUrl);
  return {
    summary: oneLine(`${title} – ${summary}`, LONGEST_SUMMARY),
    source: alert?.target ?? 'lockscope',
    severity: alert?.severity ?? 'info',
    timestamp: new Date(alert?.since ?? at).toISOString(),
    class: alert?.code ?? 'test',
    ...(alert && { component: oneLine(alert.subject.label) }),
    ...(alert?.labels?.namespace && { group: alert.labels.namespace }),
    custom_details: Object.fromEntries(facts.map(({ label, text }) => [label, text])),
  };
}

/** Events API v2 (https://developer.pagerduty.com/docs/send-alert-event). */
export const pagerduty: Kind<'pagerduty'> = {
  joins: false,
  destination: ({ url = ENDPOINT }) => new URL(url).host,
  boundTo: ({ url = ENDPOINT }) => new URL(url).origin,
  send: async ({ url = ENDPOINT, secret = '' }, { notices, publicUrl, signal }) => {
    const [notice] = notices;
    if (!notice) throw new Error('nothing to send');
    const { link } = wordsOf(notice, publicUrl);
    const isTrigger = ACTIONS[notice.event] === 'trigger';
    const content = {
      routing_key: secret,
      event_action: ACTIONS[notice.event],
      dedup_key: dedupKey(notice),
      ...(isTrigger && {
        payload: payloadOf(notice, publicUrl),
        links: [{ href: link.url, text: link.label }],
        client: 'Lockscope',
        client_url: publicUrl,
      }),
    };
    return await post({
      url: new URL(url),
      body: JSON.stringify(content),
      signal,
      hidden: [secret],
    });
  },
};
