import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Alert } from '@/lib/protocol/alert';
import type { Channel, ChannelSettings, Route } from '@/lib/protocol/notify';
import { createRules } from '@/server/alerts/rules';
import { createNotifier } from '@/server/notify/notifier';
import type { Notifier } from '@/server/notify/notify-contract';
import { createStore } from '@/server/store/store';
import type { Store } from '@/server/store/store-contract';
import { START } from '@/test/support/records';
import { startReceiver, type Receiver } from './receiver';

export const TARGET = 'redis:6379';
export const PUBLIC_URL = 'https://locks.example.org';
const AUTH_SECRET = 'a secret of this console, made at its first start';

export const anAlert = (id: string, over: Partial<Alert> = {}): Alert => ({
  id,
  code: 'no-expiry',
  severity: 'critical',
  state: 'firing',
  target: TARGET,
  subject: {
    kind: 'lock',
    label: `order:${id}`,
    locks: [{ db: 0, key: `order:${id}`, keyB64: 'b3JkZXI' }],
    deadlockId: null,
  },
  summary: 'held 47 min by host-1 without an expiry',
  remedy: 'Release it, and set a lease.',
  since: START,
  updatedAt: START,
  resolvedAt: null,
  count: 1,
  evidence: 'observed',
  acknowledgedBy: null,
  acknowledgedReason: null,
  silencedUntil: null,
  labels: { class: 'order:*', namespace: 'order', owner: 'host-1:31', node: null },
  ...over,
});

export const resolved = (alert: Alert, at: number): Alert => ({
  ...alert,
  state: 'resolved',
  resolvedAt: at,
  updatedAt: at,
});

export interface Told {
  notifier: Notifier;
  store: Store;
  dataDir: string;
  /** The clock: nothing waits for it but what reads it. */
  clock: { at: number };
  /** The book as the notifier sees it. */
  open: Map<string, Alert>;
  /** Saves the alerts and tells the notifier, as the pipeline does. */
  note: (...alerts: Alert[]) => Promise<void>;
  /** Sends what is due, and waits for the answers. */
  turn: () => Promise<void>;
  /** Lets time pass, then sends what is due. */
  after: (ms: number) => Promise<void>;
  channel: (settings: ChannelSettings, name?: string) => Promise<Channel>;
  /** Everything goes to these, resolved ones as well. */
  routeAll: (...channels: Channel[]) => Promise<void>;
  /** As after a kill: another notifier on the same database. */
  again: (options?: { authSecret?: string }) => Promise<Told>;
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

export async function aReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  stops.push(receiver.stop);
  return receiver;
}

export const aRoute = (over: Partial<Route> & Pick<Route, 'channels'>): Route => ({
  id: 'all',
  least: 'info',
  namespaces: [],
  resolved: true,
  ...over,
});

/** A notifier on a database of its own, with a clock that is handed in. */
export async function aNotifier(): Promise<Told> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lockscope-notify-'));
  const clock = { at: START };
  const store = createStore({ databaseUrl: null, dataDir, now: () => clock.at, tidies: false });
  await store.start();
  stops.push(async () => {
    await store.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return await begin({ store, dataDir, clock, open: new Map() }, AUTH_SECRET);
}

async function begin(
  base: Pick<Told, 'store' | 'dataDir' | 'clock' | 'open'>,
  authSecret: string,
): Promise<Told> {
  const { store, clock, open } = base;
  let version = 0;
  const rules = createRules();
  const notifier = createNotifier({
    ...{ store, target: TARGET, publicUrl: PUBLIC_URL, authSecret },
    alerts: {
      get: (id) => open.get(id),
      open: () => [...open.values()].filter(({ state }) => state !== 'resolved'),
      get version() {
        return (version += 1);
      },
    },
    rules,
    publish: () => undefined,
    gaveUp: () => undefined,
    now: () => clock.at,
    random: () => 0.5,
  });
  await notifier.start();
  const turn = async (): Promise<void> => {
    await notifier.turn();
    await notifier.settled();
  };
  return {
    ...base,
    notifier,
    turn,
    note: async (...alerts) => {
      for (const alert of alerts) open.set(alert.id, alert);
      await store.saveAlerts(alerts);
      await notifier.note(alerts);
    },
    after: async (ms) => {
      clock.at += ms;
      await turn();
    },
    channel: (settings, name = 'ops') => notifier.saveChannel({ name, settings }),
    routeAll: async (...channels) => {
      await notifier.saveRoutes([aRoute({ channels: channels.map(({ id }) => id) })]);
    },
    again: ({ authSecret: other = authSecret } = {}) => begin(base, other),
  };
}
