import { inEnglish, said } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import { isCodedError } from '@/lib/protocol/errors';
import type { Channel, TestOutcome } from '@/lib/protocol/notify';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import type { RuleBook } from '@/server/alerts/rules';
import { createQueue } from '@/server/store/outbox';
import { createSerial } from '@/server/store/serial';
import type { Store } from '@/server/store/store-contract';
import { createChannelBook, type StoredChannel } from './channel-book';
import { decide } from './decide';
import { deliveryEvents } from './delivery-events';
import { failingFindings } from './failing-finding';
import { isReminded, joins } from './kinds';
import { Lane } from './lane';
import { Ledger } from './ledger';
import { createMessenger, type Messenger } from './messenger';
import {
  deliveryOf,
  isPending,
  newNotice,
  recordsOf,
  rowOf,
  type NoticeRecord,
} from './notice-record';
import type { Notifier } from './notify-contract';
import { failed, type Outcome } from './outcome';
import { createReminders } from './reminders';
import { createSecretBox } from './secret-box';

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
  now: () => number;
  /** 0 to 1, for the jitter of what is tried again. */
  random?: () => number;
}

/** What resolved longer ago was told before the last start, or is no news. */
const NEWS_MS = 24 * 60 * 60_000;
const RECALLED = 1000;
const RESOLVED_AT_START = 1000;
/** What the store may be behind with. */
const MOST_UNSAVED_EVENTS = 10_000;
/** How long a stop waits for what is being sent. */
const STOP_WITHIN_MS = 1000;

export const createNotifier = (options: NotifierOptions): Notifier => new ChannelNotifier(options);

class ChannelNotifier implements Notifier {
  readonly #options: NotifierOptions;
  readonly #book;
  readonly #ledger: Ledger;
  readonly #lanes = new Map<string, Lane>();
  readonly #inTurn = createSerial();
  readonly #events;
  readonly #stopping = new AbortController();
  readonly #messenger: Messenger;
  readonly #reminders;
  /** The alerts as they were last looked at, of those that are in the ledger. */
  readonly #seen = new Map<string, Alert>();
  #followed = -1;
  #version = 0;

  constructor(options: NotifierOptions) {
    const { store, target, authSecret, alerts, publicUrl, now } = options;
    this.#options = options;
    this.#book = createChannelBook({ store, box: createSecretBox(authSecret), now });
    const ledger = new Ledger(store, target);
    const messenger = createMessenger({ publicUrl, now, stopping: this.#stopping.signal });
    this.#ledger = ledger;
    this.#messenger = messenger;
    this.#reminders = createReminders({ alerts, ledger, messenger, now });
    this.#events = createQueue(
      (events: readonly AlertEvent[]) => store.saveAlertEvents(events),
      MOST_UNSAVED_EVENTS,
    );
  }

  get version(): number {
    return this.#version;
  }

  async start(): Promise<void> {
    const { store, target, alerts, now } = this.#options;
    await this.#book.load();
    const past = recordsOf(await store.newestNotices(RECALLED));
    const waiting = await this.#ledger.load();
    for (const { id } of this.#book.list()) {
      const ofChannel = (notice: NoticeRecord) => notice.channel === id && notice.target === target;
      this.#laneOf(id).recall(past.filter(ofChannel));
      this.#laneOf(id).add(waiting.filter(ofChannel));
    }
    await this.#endOrphans(waiting);
    const resolved = await store.alerts({ state: 'resolved', limit: RESOLVED_AT_START });
    const recent = resolved.filter(
      (alert) => alert.target === target && now() - (alert.resolvedAt ?? 0) < NEWS_MS,
    );
    const open = new Set(alerts.open().map(({ id }) => id));
    await this.note([...recent.filter(({ id }) => !open.has(id)), ...alerts.open()]);
  }

  async note(alerts: readonly Alert[]): Promise<void> {
    if (this.#book.list().length === 0) return;
    await this.#inTurn(() => this.#decideOn(alerts));
  }

  readonly turn = async (): Promise<void> => {
    const { alerts } = this.#options;
    if (this.#stopping.signal.aborted) return;
    if (this.#ledger.unwritten > 0) await this.#ledger.flush();
    if (alerts.version !== this.#followed) {
      this.#followed = alerts.version;
      await this.note(this.#changedSince());
    }
    for (const channel of this.#book.list()) {
      const { id } = channel;
      const lane = this.#laneOf(id);
      lane.turn();
      if (isReminded(channel.settings)) {
        this.#reminders.turn(id, lane, () => this.#book.open(channel));
      }
    }
    await this.#saveEvents();
  };

  async settled(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled()));
    await this.#saveEvents();
  }

  channels(): Channel[] {
    return this.#book.list().map((channel) => this.#shown(channel));
  }

  routes() {
    return this.#book.routes();
  }

  async deliveries(limit: number) {
    const { store, target } = this.#options;
    const notices = recordsOf(await store.newestNotices(limit));
    return notices
      .filter((notice) => notice.target === target)
      .map((notice) => deliveryOf(this.#ledger.get(notice.id) ?? notice));
  }

  async saveChannel(input: Parameters<Notifier['saveChannel']>[0]): Promise<Channel> {
    const channel = await this.#book.save(input);
    await this.#laneOf(channel.id).begin();
    this.#touch();
    return this.#shown(channel);
  }

  async removeChannel(id: string): Promise<void> {
    await this.#inTurn(async () => {
      await this.#book.remove(id);
      this.#lanes.delete(id);
      await this.#endOrphans(this.#ledger.pending());
    });
    this.#touch();
  }

  async saveRoutes(routes: Parameters<Notifier['saveRoutes']>[0]) {
    const saved = await this.#book.saveRoutes(routes);
    // What fires now is told to whom the new routes lead.
    await this.note(this.#options.alerts.open());
    this.#touch();
    return saved;
  }

  async test(id: string): Promise<TestOutcome> {
    const { store, target, now } = this.#options;
    const channel = this.#book.get(id);
    const startedAt = now();
    const notice = newNotice({
      ...{ target, channel, event: 'test', since: startedAt, alert: null, now: startedAt },
    });
    const settings = this.#book.open(channel);
    const outcome = settings
      ? await this.#messenger.send(settings, { id: notice.id, notices: [notice] })
      : failed(sentence('notify:sealed', {}));
    const isDelivered = outcome.kind === 'delivered';
    const tookMs = now() - startedAt;
    const why =
      outcome.kind === 'delivered'
        ? sentence('notify:delivered', { destination: channel.destination, tookMs })
        : outcome.why;
    const error = isDelivered ? null : inEnglish([why]);
    const deliveredAt = isDelivered ? now() : null;
    const tried = { ...notice, attempts: 1, nextAt: null, deliveredAt, error };
    await store.saveNotices([rowOf(tried)]);
    const lane = this.#laneOf(id);
    lane.note(outcome);
    if (isDelivered) await lane.hurry();
    this.#touch();
    return { delivered: isDelivered, message: inEnglish([why]), sentences: [why] };
  }

  findings(now: number) {
    return failingFindings(this.channels(), this.#options.rules, now);
  }

  async stop(): Promise<void> {
    const late = setTimeout(() => this.#stopping.abort(new Error('stopped')), STOP_WITHIN_MS);
    await this.settled();
    clearTimeout(late);
    this.#stopping.abort(new Error('stopped'));
    await this.#ledger.flush();
  }

  async #decideOn(alerts: readonly Alert[]): Promise<void> {
    const { target, now } = this.#options;
    const ledger = this.#ledger;
    await ledger.learn(alerts.map(({ id }) => id));
    const channels = this.#book.list().map(({ id, name, settings }) => ({
      ...{ id, name, kind: settings.kind },
    }));
    const options = { target, channels, routes: this.#book.routes(), now: now() };
    const decisions = alerts.map((alert) => decide(alert, ledger.ofAlert(alert.id), options));
    const added = decisions.flatMap(({ add }) => add);
    const withdrawn = decisions.flatMap(({ withdraw }) => withdraw);
    if (withdrawn.length > 0) await ledger.remove(withdrawn);
    if (added.length > 0) await ledger.add(added);
    for (const [id, notices] of Map.groupBy(added, ({ channel }) => channel)) {
      this.#laneOf(id).add(notices);
    }
    for (const alert of alerts) {
      if (alert.state === 'resolved') {
        ledger.forget(alert.id);
        this.#seen.delete(alert.id);
      } else this.#seen.set(alert.id, alert);
    }
    if (added.length + withdrawn.length > 0) this.#touch();
  }

  /** Alerts that were told of and have another life since: acknowledged, silenced. */
  #changedSince(): Alert[] {
    const changed: Alert[] = [];
    for (const [id, seen] of this.#seen) {
      const alert = this.#options.alerts.get(id);
      if (!alert) this.#seen.delete(id);
      else if (alert !== seen && this.#ledger.ofAlert(id).length > 0) changed.push(alert);
    }
    return changed;
  }

  #laneOf(id: string): Lane {
    const known = this.#lanes.get(id);
    if (known) return known;
    const { now, random = Math.random } = this.#options;
    const lane = new Lane({
      ledger: this.#ledger,
      open: () => this.#book.open(this.#book.get(id)),
      send: this.#messenger.send,
      joins: () => joins(this.#book.get(id).settings),
      onOutcome: (notices, outcome) => this.#told(notices, outcome),
      ...{ now, random },
    });
    this.#lanes.set(id, lane);
    return lane;
  }

  async #told(notices: readonly NoticeRecord[], outcome: Outcome): Promise<void> {
    // The channel may have been removed while this was being sent.
    await this.#endOrphans(notices.filter(isPending));
    const ended = notices.map((notice) => this.#ledger.get(notice.id) ?? notice);
    this.#events.add(deliveryEvents(ended, outcome, this.#options.now()));
    for (const { alert } of notices) {
      if (alert && !this.#seen.has(alert.id)) this.#ledger.forget(alert.id);
    }
    this.#touch();
  }

  async #saveEvents(): Promise<void> {
    if (!this.#options.store.health.ok) return;
    try {
      await this.#events.flush();
    } catch (error) {
      // The store has just broken: its health says so, and the lines wait for it.
      if (!isCodedError(error)) throw error;
    }
  }

  /** What waits for a channel that is gone is told nobody. */
  async #endOrphans(waiting: readonly NoticeRecord[]): Promise<void> {
    const known = new Set(this.#book.list().map(({ id }) => id));
    const error = said('notify:channel-gone', {}).text;
    const orphans = waiting.filter(({ channel }) => !known.has(channel));
    await this.#ledger.put(orphans.map((notice) => ({ ...notice, nextAt: null, error })));
  }

  #shown(channel: StoredChannel): Channel {
    const { id, name, settings, secret, destination } = channel;
    const lane = this.#laneOf(id);
    return {
      ...{ id, name, kind: settings.kind, settings, hasSecret: secret !== null, destination },
      waiting: lane.waiting,
      ...lane.health,
    };
  }

  #touch(): void {
    this.#version += 1;
    this.#options.publish();
  }
}
