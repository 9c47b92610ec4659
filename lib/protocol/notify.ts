import { z } from 'zod';
import { Severity } from './alert';

export const CHANNEL_KINDS = ['webhook', 'slack', 'alertmanager', 'pagerduty', 'email'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

const url = z.url({ protocol: /^https?$/ }).max(2000);
/** Left out when a channel is saved: as it is. Never sent to anybody: `hasSecret` says whether there is one. */
const secret = z.string().min(1).max(500).optional();

/**
 * How a channel is reached. A Slack-compatible URL, a PagerDuty routing key and passwords are secrets: of what is read back
 * only the host of a secret URL is there.
 */
export const ChannelSettings = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('webhook'), url, secret }),
  z.object({ kind: z.literal('slack'), secret }),
  z.object({ kind: z.literal('alertmanager'), url, user: z.string().max(200).optional(), secret }),
  z.object({ kind: z.literal('pagerduty'), url: url.optional(), secret }),
  z.object({
    kind: z.literal('email'),
    host: z.string().min(1).max(255),
    port: z.number().int().min(1).max(65_535),
    tls: z.enum(['none', 'starttls', 'tls']),
    user: z.string().max(200).optional(),
    secret,
    from: z.string().min(3).max(320),
    to: z.array(z.string().min(3).max(320)).min(1).max(50),
  }),
]);
export type ChannelSettings = z.infer<typeof ChannelSettings>;

/** As read back: without the secret. */
export const Channel = z.object({
  id: z.string(),
  name: z.string(),
  settings: ChannelSettings,
  hasSecret: z.boolean(),
  /** For a person: host, addresses; nothing secret. */
  destination: z.string(),
  /** How its deliveries go. */
  waiting: z.number().int(),
  deliveredAt: z.number().int().nullable(),
  failing: z.object({ since: z.number().int(), error: z.string() }).nullable(),
});
export type Channel = z.infer<typeof Channel>;

/** Alerts that fit go to the channels; all routes are tried, each channel is told once. */
export const Route = z.object({
  id: z.string().max(64),
  /** This severity and worse. */
  least: Severity,
  namespaces: z.array(z.string().min(1).max(1000)).max(100),
  channels: z.array(z.string().max(64)).min(1).max(50),
  /** Also told when an alert is resolved. */
  resolved: z.boolean(),
});
export type Route = z.infer<typeof Route>;

export const DELIVERY_EVENTS = ['firing', 'acknowledged', 'resolved', 'test'] as const;

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

export const NotifyPage = z.object({
  channels: z.array(Channel),
  routes: z.array(Route),
  /** Newest first, 100 at most. */
  deliveries: z.array(Delivery),
});
export type NotifyPage = z.infer<typeof NotifyPage>;
