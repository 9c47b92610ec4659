import { said } from '@/lib/messages/in-english';
import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import { isCodedError } from '@/lib/protocol/errors';
import type { Channel, TestOutcome } from '@/lib/protocol/notify';
import { createQueue } from '@/server/store/outbox';
import { createSerial } from '@/server/store/serial';
import { createChannelBook, type StoredChannel } from './channel-book';
import { decide } from './decide';
import { deliveryEvents } from './delivery-events';
import { failingFindings } from './failing-finding';
import { createFollowing } from './following';
import { isReminded } from './kinds';
import { Lanes } from './lanes';
import { Ledger } from './ledger';
import { createMessenger, type Messenger } from './messenger';
import { deliveryOf, isPending, recordsOf, type NoticeRecord } from './notice-record';
import type { Notifier, NotifierOptions } from './notify-contract';
import type { Outcome } from './outcome';
import { createReminders } from './reminders';
import { compileRouting } from './routing';
import { createSecretBox } from './secret-box';
import { tryChannel } from './try-channel';

/** What resolved longer ago was told before the last start, or is no news. */
const NEWS_MS = 24 * 60 * 60_000;
const RECALLED = 1000;
/** Alerts; each may be told to many channels. */
const DECIDED_AT_ONCE = 100;
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
  readonly #lanes: Lanes;
  readonly #inTurn = createSerial();
  readonly #events;
  readonly #stopping = new AbortController();
  readonly #messenger: Messenger;
  readonly #reminders;
  readonly #following;
  /** The alerts as they were last looked at, of those that are in the ledger. */
  readonly #seen = new Map<string, Alert>();
  #followed = -1;
  #version = 0;

  constructor(options: NotifierOptions) {
    const { store, target, authSecret, alerts, publicUrl, gaveUp, now } = options;
    const { random = Math.random } = options;
    this.#options = options;
    this.#book = createChannelBook({ store, box: createSecretBox(authSecret), now });
    const ledger = new Ledger({ store, target, gaveUp });
    const messenger = createMessenger({ publicUrl, now, stopping: this.#stopping.signal });
    this.#ledger = ledger;
    this.#messenger = messenger;
    this.#lanes = new Lanes({
      ...{ ledger, book: this.#book, send: messenger.send, now, random },
      onOutcome: (notices, outcome) => this.#told(notices, outcome),
    });
    this.#reminders = createReminders({ alerts, ledger, messenger, now });
    this.#following = createFollowing({
      book: this.#book,
      rechannel: (others) => this.#inTurn(() => this.#rechannel(others)),
      reroute: () => this.note(alerts.open()),
      replaced: () => this.#touch(),
    });
    this.#events = createQueue((events: readonly AlertEvent[]) => store.saveAlertEvents(events), {
      most: MOST_UNSAVED_EVENTS,
      gone: (lost) => gaveUp(lost.map(({ at }) => at)),
    });
  }

  get followed() {
    return this.#following.followed;
  }

  get version(): number {
    return this.#version;
  }

  async start(): Promise<void> {
    const { store, target, alerts, now } = this.#options;
    await this.#book.load();
    const past = await recordsOf(await store.newestNotices(RECALLED));
    const waiting = await this.#ledger.load();
    for (const { id } of this.#book.list()) {
      const ofChannel = (notice: NoticeRecord) => notice.channel === id && notice.target === target;
      this.#lanes.of(id).recall(past.filter(ofChannel));
      this.#lanes.of(id).add(waiting.filter(ofChannel));
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
    await this.#inTurn(async () => {
      for (let at = 0; at < alerts.length; at += DECIDED_AT_ONCE) {
        await this.#decideOn(alerts.slice(at, at + DECIDED_AT_ONCE));
        // Where nothing is to be written either, others must have their turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  }

  readonly turn = async (): Promise<void> => {
    const { alerts } = this.#options;
    if (this.#stopping.signal.aborted) return;
    if (this.#ledger.unwritten > 0) await this.#ledger.flush();
    await this.#following.turn();
    if (alerts.version !== this.#followed) {
      this.#followed = alerts.version;
      await this.note(this.#changedSince());
    }
    for (const channel of this.#book.list()) {
      const { id } = channel;
      const lane = this.#lanes.of(id);
      lane.turn();
      if (isReminded(channel.settings)) {
        this.#reminders.turn(id, lane, () => this.#book.open(channel));
      }
    }
    await this.#saveEvents();
  };

  async settled(): Promise<void> {
    await this.#lanes.settled();
    await this.#saveEvents();
  }

  channels(): Channel[] {
    return this.#book.list().map((channel) => this.#shown(channel));
  }

  routes() {
    return this.#book.routes();
  }

  routesVersion() {
    return this.#book.routesVersion();
  }

  async deliveries(limit: number) {
    const { store, target } = this.#options;
    const notices = await recordsOf(await store.newestNotices(limit));
    return notices
      .filter((notice) => notice.target === target)
      .map((notice) => deliveryOf(this.#ledger.get(notice.id) ?? notice));
  }

  async saveChannel(input: Parameters<Notifier['saveChannel']>[0]): Promise<Channel> {
    const channel = await this.#book.save(input);
    await this.#lanes.of(channel.id).begin();
    this.#touch();
    return this.#shown(channel);
  }

  async removeChannel(id: string, version?: number | null): Promise<void> {
    await this.#inTurn(async () => {
      await this.#book.remove(id, version);
      await this.#rechannel([]);
    });
    this.#touch();
  }

  async saveRoutes(...[routes, version]: Parameters<Notifier['saveRoutes']>) {
    const saved = await this.#book.saveRoutes(routes, version);
    // What fires now is told to whom the new routes lead.
    await this.note(this.#options.alerts.open());
    this.#touch();
    return saved;
  }

  async test(id: string): Promise<TestOutcome> {
    const { store, target, now } = this.#options;
    const channel = this.#book.get(id);
    const settings = this.#book.open(channel);
    const trial = { store, target, channel, settings, messenger: this.#messenger, now };
    const { outcome, told } = await tryChannel(trial);
    const lane = this.#lanes.of(id);
    lane.note(outcome);
    if (told.delivered) await lane.hurry();
    this.#touch();
    return told;
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

  /** Of channels that are gone nothing goes on; those that are others begin anew. */
  async #rechannel(others: readonly string[]): Promise<void> {
    const ids = this.#book.list().map(({ id }) => id);
    this.#lanes.keep(ids);
    await this.#endOrphans(this.#ledger.pending());
    for (const id of others) if (ids.includes(id)) await this.#lanes.of(id).begin();
  }

  async #decideOn(alerts: readonly Alert[]): Promise<void> {
    const { target, now } = this.#options;
    const ledger = this.#ledger;
    await ledger.learn(alerts.map(({ id }) => id));
    const channels = this.#book.list().map(({ id, name, settings }) => ({
      ...{ id, name, kind: settings.kind },
    }));
    const channelsFor = compileRouting(this.#book.routes());
    const options = { target, channels, channelsFor, now: now() };
    const decisions = alerts.map((alert) => decide(alert, ledger.ofAlert(alert.id), options));
    const added = decisions.flatMap(({ add }) => add);
    const withdrawn = decisions.flatMap(({ withdraw }) => withdraw);
    if (withdrawn.length > 0) await ledger.remove(withdrawn);
    if (added.length > 0) await ledger.add(added);
    for (const [id, notices] of Map.groupBy(added, ({ channel }) => channel)) {
      this.#lanes.of(id).add(notices);
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
    const { id, version, name, settings, secret, destination } = channel;
    const lane = this.#lanes.of(id);
    return {
      ...{ id, version, name, kind: settings.kind, settings, destination },
      hasSecret: secret !== null,
      waiting: lane.waiting,
      ...lane.health,
    };
  }

  #touch(): void {
    this.#version += 1;
    this.#options.publish();
  }
}
