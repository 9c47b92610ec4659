import type { Alert } from '@/lib/protocol/alert';
import type { Channel, ChannelSettings, Delivery, Route, TestOutcome } from '@/lib/protocol/notify';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import type { RuleBook } from '@/server/alerts/rules';
import type { Finding } from '@/server/analysers/finding';
import type { Followed } from '@/server/store/follow-documents';
import type { Store } from '@/server/store/store-contract';

export interface NotifierOptions {
  store: Store;
  target: string;
  alerts: Pick<AlertBook, 'get' | 'open' | 'version'>;
  /** Of the alerts that are the notifier's own. */
  rules: Pick<RuleBook, 'thresholdOf'>;
  /** Where the console is, for links. */
  publicUrl: string;
  /** What the key for secrets is derived from. */
  authSecret: string;
  /** Called when something a page may show has changed. */
  publish: () => void;
  /** Is told of what times rows are that were given up while the store was broken. */
  gaveUp: (times: readonly number[]) => void;
  now: () => number;
  /** 0 to 1, for the jitter of what is tried again. */
  random?: () => number;
}

/** Tells channels of alerts: at least once each, over restarts and receivers that are away. */
export interface Notifier {
  /** Reads channels, routes and what is still to be told, adds what is missing. */
  start: () => Promise<void>;
  /** Alerts that changed and are saved. What is to be told of them is on disk when it resolves. */
  note: (alerts: readonly Alert[]) => Promise<void>;
  /** Sends what is due. To be called several times a second; returns before the answers are there. */
  turn: () => Promise<void>;
  /** Resolves when nothing is being sent. */
  settled: () => Promise<void>;
  /** Its channels and routes, which another console may change. */
  readonly followed: readonly Followed[];
  /** As an administrator sees them. */
  channels: () => Channel[];
  routes: () => readonly Route[];
  /** Of all routes together; null = none were ever set. */
  routesVersion: () => number | null;
  /** Newest first. */
  deliveries: (limit: number) => Promise<Delivery[]>;
  /** `version`: that it is changed from, as it is known here by default. Throws NOT_FOUND, INVALID_INPUT, TOO_MANY and CONFLICT. */
  saveChannel: (input: {
    id?: string | undefined;
    version?: number | null | undefined;
    name: string;
    settings: ChannelSettings;
  }) => Promise<Channel>;
  /** Throws NOT_FOUND and CONFLICT. */
  removeChannel: (id: string, version?: number | null) => Promise<void>;
  /** Throws INVALID_INPUT for a channel that does not exist, and CONFLICT. */
  saveRoutes: (routes: readonly Route[], version?: number | null) => Promise<readonly Route[]>;
  /** Sends one message at once. Throws NOT_FOUND. */
  test: (id: string) => Promise<TestOutcome>;
  /** Channels that have failed for long. */
  findings: (now: number) => Finding[];
  /** Another one: something of what is read here has changed. */
  readonly version: number;
  /** Lets what is being sent end, for a moment, and writes how it went. What is left is told after the next start. */
  stop: () => Promise<void>;
}
