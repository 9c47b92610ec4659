import { createHmac } from 'node:crypto';
import type { Notice, WebhookBody } from '@/lib/protocol/notify';
import type { NoticeRecord } from '@/server/notify/notice-record';
import { post } from '@/server/notify/post';
import { alertUrl } from '@/server/notify/wording';
import type { Kind } from './kind';

/** `t=<epoch seconds>,v1=<hex>`: what is signed is the time, a point and the body, so that neither can be exchanged. */
export function signatureOf(body: string, secret: string, now: number): string {
  const t = Math.floor(now / 1000);
  const hmac = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return `t=${t},v1=${hmac}`;
}

function noticeOf({ id, event, at, alert }: NoticeRecord, publicUrl: string): Notice {
  if (!alert) return { id, event, at, alert: null };
  const { code, severity, state, target, subject, labels, summary, remedy } = alert;
  const { since, alertedAt, resolvedAt, count, evidence, ending = null } = alert;
  return {
    ...{ id, event, at },
    alert: {
      ...{ id: alert.id, code, severity, state, target, subject, labels: labels ?? null },
      ...{ summary, remedy, since, alertedAt, resolvedAt, count, evidence, ending },
      url: alertUrl(publicUrl, alert.id),
    },
  };
}

export const webhook: Kind<'webhook'> = {
  joins: true,
  destination: ({ url }) => new URL(url).host,
  boundTo: () => '',
  send: async ({ url, secret }, { id, notices, publicUrl, now, signal }) => {
    const content: WebhookBody = {
      version: 1,
      id,
      sentAt: now,
      count: notices.length,
      notices: notices.map((notice) => noticeOf(notice, publicUrl)),
    };
    const body = JSON.stringify(content);
    return await post({
      url: new URL(url),
      headers: {
        'lockscope-delivery': id,
        ...(secret && { 'lockscope-signature': signatureOf(body, secret, now) }),
      },
      body,
      signal,
      hidden: secret ? [secret] : [],
    });
  },
};
