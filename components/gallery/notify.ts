import type { Channel, Delivery, NotifyPage, Route } from '@/lib/protocol/notify';

const aChannel = (over: Partial<Channel> & Pick<Channel, 'id' | 'name' | 'kind'>): Channel => ({
  version: 1,
  settings: null,
  hasSecret: true,
  destination: null,
  waiting: 0,
  deliveredAt: null,
  failing: null,
  ...over,
});

const channelsAt = (now: number): Channel[] => [
  aChannel({
    ...{ id: 'hook', name: 'Incident bot', kind: 'webhook', destination: 'bot.example.com' },
    settings: { kind: 'webhook', url: 'https://bot.example.com/locks' },
    deliveredAt: now - 42_000,
  }),
  aChannel({
    ...{ id: 'slack', name: '#ops-locks', kind: 'slack', destination: 'hooks.slack.com' },
    settings: { kind: 'slack' },
    failing: {
      since: now - 9 * 60_000,
      error: 'hooks.slack.com answered 503: upstream connect error or disconnect/reset',
    },
    deliveredAt: now - 3_600_000,
    waiting: 3,
  }),
  aChannel({
    ...{ id: 'pager', name: 'On call', kind: 'pagerduty', destination: 'events.pagerduty.com' },
    settings: { kind: 'pagerduty' },
  }),
  aChannel({
    ...{ id: 'mail', name: 'Team by mail', kind: 'email' },
    destination: 'locks@example.com, on-call@example.com via mail.example.com:587',
    settings: {
      ...{ kind: 'email', host: 'mail.example.com', port: 587, tls: 'starttls' },
      ...{ user: 'lockscope', from: 'Lockscope <locks@example.com>' },
      to: ['locks@example.com', 'on-call@example.com'],
    },
    deliveredAt: now - 86_400_000,
  }),
];

const ROUTES: Route[] = [
  { id: 'route-1', least: 'warning', namespaces: [], channels: ['hook', 'slack'], resolved: true },
  {
    ...{ id: 'route-2', least: 'critical', namespaces: ['order', 'payments'], resolved: true },
    channels: ['pager'],
  },
];

const aDelivery = (now: number, index: number, over: Partial<Delivery> = {}): Delivery => ({
  id: `delivery-${index}`,
  channel: 'hook',
  channelName: 'Incident bot',
  alert: `1f3a-${index}`,
  summary: 'order_sync:4711 – held 47 min by order-service-2, renewed 282×',
  event: 'firing',
  at: now - index * 61_000,
  attempts: 1,
  deliveredAt: now - index * 61_000 + 90,
  nextAt: null,
  error: null,
  ...over,
});

const deliveriesAt = (now: number): Delivery[] => [
  aDelivery(now, 1),
  aDelivery(now, 2, {
    ...{ channel: 'slack', channelName: '#ops-locks', attempts: 6, deliveredAt: null },
    nextAt: now + 95_000,
    error: 'hooks.slack.com answered 503: upstream connect error or disconnect/reset',
  }),
  aDelivery(now, 3, {
    ...{ channel: 'slack', channelName: '#ops-locks', attempts: 0, deliveredAt: null, nextAt: now },
    summary: 'account:4711 and account:4712 wait for each other',
  }),
  aDelivery(now, 4, { event: 'resolved' }),
  aDelivery(now, 5, {
    ...{ channel: 'mail', channelName: 'Team by mail', attempts: 1, deliveredAt: null },
    error: 'The mail server mail.example.com:587 refused user or password: 535 5.7.8 Error',
  }),
  aDelivery(now, 6, {
    ...{ event: 'test', alert: null },
    summary: 'This is a test: alerts of Lockscope arrive here.',
  }),
];

export const sampleNotify = (now: number): NotifyPage => ({
  channels: channelsAt(now),
  routes: ROUTES,
  routesVersion: 1,
  deliveries: deliveriesAt(now),
});

export const noNotify = (): NotifyPage => ({
  channels: [],
  routes: [],
  routesVersion: null,
  deliveries: [],
});

/** As a viewer gets it. */
export const viewedNotify = (now: number): NotifyPage => ({
  ...noNotify(),
  channels: channelsAt(now).map((each) => ({ ...each, settings: null, destination: null })),
});

const MANY_CHANNELS = 50;

export const manyNotify = (now: number): NotifyPage => ({
  channels: Array.from({ length: MANY_CHANNELS }, (_, i) =>
    aChannel({
      ...{ id: `many-${i}`, name: `${'a-channel-with-a-very-long-name-'.repeat(3)}${i}` },
      ...{ kind: 'webhook', destination: `${'very-long-host-name.'.repeat(8)}example.com` },
      failing: i % 3 === 0 ? { since: now - i * 60_000, error: 'x'.repeat(300) } : null,
      waiting: i * 100,
    }),
  ),
  routes: ROUTES.map((route) => ({ ...route, channels: ['many-0', 'many-1', 'many-2'] })),
  routesVersion: 1,
  deliveries: Array.from({ length: 100 }, (_, i) =>
    aDelivery(now, i, { summary: 'order_sync:'.repeat(i) }),
  ),
});

const answered = { delivered: true, message: 'The test message arrived.', sentences: [] };

export const notifyActions = {
  'notify.test': (): unknown => answered,
};
