import { z } from 'zod';
import { AlertCode, AlertEnding, AlertLabels, AlertState, AlertSubject, Severity } from './alert';
import { CHANNEL_KINDS, DELIVERY_EVENTS } from './closed-sets';
import { Evidence } from './lock';
import { NamePattern } from './name-pattern';
import { SetVersion } from './rules';
import { Sentence } from './sentence';

export const ChannelKind = z.enum(CHANNEL_KINDS);
export type ChannelKind = z.infer<typeof ChannelKind>;

const url = z.url({ protocol: /^https?$/ }).max(2000);
/** Left out when a channel is saved: as it is. Never sent to anybody: `hasSecret` says whether there is one. */
const secret = z.string().min(1).max(2000).optional();
/** No control characters: what is written here ends up in headers. */
const mailbox = z
  .string()
  .min(3)
  .max(320)
  .regex(/^[^\p{C}@]*[^\p{C}\s@]@[^\p{C}\s@]+$/u, 'is not an e-mail address');
const headerText = z
  .string()
  .max(200)
  .regex(/^\P{C}*$/u, 'must not have control characters');

/**
 * How a channel is reached. A Slack-compatible URL, a PagerDuty routing key and passwords are secrets: of what is read back
 * only the host of a secret URL is there.
 */
export const ChannelSettings = z.discriminatedUnion('kind', [
  /** `secret` signs what is sent. */
  z.object({ kind: z.literal('webhook'), url, secret }),
  /** `secret` is the whole URL. */
  z.object({ kind: z.literal('slack'), secret }),
  /** `url` is where Alertmanager's own pages are; user and `secret` for one behind basic authentication. */
  z.object({ kind: z.literal('alertmanager'), url, user: headerText.optional(), secret }),
  /** `secret` is the routing key; `url` for a service region of one's own. */
  z.object({ kind: z.literal('pagerduty'), url: url.optional(), secret }),
  z.object({
    kind: z.literal('email'),
    host: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[\w.:-]+$/, 'is not a host name'),
    port: z.number().int().min(1).max(65_535),
    tls: z.enum(['none', 'starttls', 'tls']),
    user: headerText.optional(),
    secret,
    from: mailbox,
    to: z.array(mailbox).min(1).max(50),
  }),
]);
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** As read back: without the secret. */
export const Channel = z.object({
  id: z.string(),
  version: z.number().int(),
  name: z.string(),
  kind: ChannelKind,
  /** Null for who is no administrator. */
  settings: ChannelSettings.nullable(),
  hasSecret: z.boolean(),
  /** For a person: host, addresses; nothing secret. Null for who is no administrator. */
  destination: z.string().nullable(),
  /** How its deliveries go. */
  waiting: z.number().int(),
  deliveredAt: z.number().int().nullable(),
  failing: z.object({ since: z.number().int(), error: z.string() }).nullable(),
});
export type Channel = z.infer<typeof Channel>;

/** Alerts that fit go to the channels; all routes are tried, each channel is told once. */
export const Route = z.object({
  id: z.string().min(1).max(64),
  /** This severity and worse. */
  least: Severity,
  /** None = alerts of every namespace, and of none. */
  namespaces: z.array(NamePattern).max(100),
  channels: z.array(z.string().max(64)).min(1).max(50),
  /** Also told when an alert is resolved. */
  resolved: z.boolean(),
});
export type Route = z.infer<typeof Route>;

export const Delivery = z.object({
  /** The same for every attempt: receivers drop what they have seen. */
  id: z.string(),
  channel: z.string(),
  channelName: z.string(),
  alert: z.string().nullable(),
  summary: z.string(),
  event: z.enum(DELIVERY_EVENTS),
  at: z.number().int(),
  attempts: z.number().int(),
  deliveredAt: z.number().int().nullable(),
  /** When it is tried again; null when delivered or given up. */
  nextAt: z.number().int().nullable(),
  error: z.string().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** Routes and deliveries are an administrator's; for others both are empty. */
export const NotifyPage = z.object({
  channels: z.array(Channel),
  routes: z.array(Route),
  /** Of all routes together. */
  routesVersion: SetVersion,
  /** Newest first, 100 at most. */
  deliveries: z.array(Delivery),
});
export type NotifyPage = z.infer<typeof NotifyPage>;

/** How a test message fared: one sentence. */
export const TestOutcome = z.object({
  delivered: z.boolean(),
  message: z.string(),
  /** `message` for the reader's own language. */
  sentences: z.array(Sentence),
});
export type TestOutcome = z.infer<typeof TestOutcome>;

/** One thing that a webhook is told. */
export const Notice = z.object({
  /** The same for every attempt, alone or among others: drop what has been seen. */
  id: z.string(),
  event: z.enum(DELIVERY_EVENTS),
  /** Epoch ms: when it came about. */
  at: z.number().int(),
  /** Null for a test. */
  alert: z
    .object({
      id: z.string(),
      code: AlertCode,
      severity: Severity,
      state: AlertState,
      target: z.string(),
      subject: AlertSubject,
      labels: AlertLabels.nullable(),
      summary: z.string(),
      remedy: z.string(),
      /** Since when its condition is there; when it alerted (left out where that was not kept). */
      since: z.number().int(),
      alertedAt: z.number().int().nullable().optional(),
      resolvedAt: z.number().int().nullable(),
      count: z.number().int(),
      evidence: Evidence,
      /** What ended its condition, where that was seen. */
      ending: AlertEnding.nullable().optional(),
      /** Its page in this console. */
      url: z.string(),
    })
    .nullable(),
});
export type Notice = z.infer<typeof Notice>;

/**
 * The body that a webhook receives, as UTF-8 JSON. Headers: `Lockscope-Delivery` repeats `id`, and with a secret
 * `Lockscope-Signature: t=<epoch seconds>,v1=<hex of HMAC-SHA-256 of "<t>.<body>">`. A receiver refuses a `t` that is more
 * than 300 seconds off, so that nobody can send an old message again.
 */
export const WebhookBody = z.object({
  version: z.literal(1),
  id: z.string(),
  sentAt: z.number().int(),
  /** Of `notices`: more than one when many came at once. */
  count: z.number().int(),
  notices: z.array(Notice),
});
export type WebhookBody = z.infer<typeof WebhookBody>;
