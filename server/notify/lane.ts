import { inEnglish, said } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { Channel, ChannelSettings } from '@/lib/protocol/notify';
import { backOffMs, GIVEN_UP_AFTER_MS } from './back-off';
import type { Ledger } from './ledger';
import { isPending, joinedId, type NoticeRecord } from './notice-record';
import { failed, type Outcome } from './outcome';
import { createPace } from './pace';

export interface LaneOptions {
  ledger: Ledger;
  /** How many of its notices wait. */
  waiting: () => number;
  /** The settings with their secret; null when it cannot be opened. */
  open: () => ChannelSettings | null;
  send: (
    settings: ChannelSettings,
    message: { id: string; notices: readonly NoticeRecord[] },
  ) => Promise<Outcome>;
  /** Whether many notices can be one message. */
  joins: () => boolean;
  /** How it went, for the timeline of the alerts. */
  onOutcome: (notices: readonly NoticeRecord[], outcome: Outcome) => Promise<void>;
  now: () => number;
  /** 0 to 1. */
  random: () => number;
}

const SEALED = (): Outcome => failed(sentence('notify:sealed', {}));

/**
 * The notices of one channel, told in order and one message at a time: what fails holds up what stands behind it
 * and no other channel.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #pace = createPace();
  #queue: string[] = [];
  #failures = 0;
  #failing: Channel['failing'] = null;
  #deliveredAt: number | null = null;
  #sending: Promise<void> | null = null;
  /** After a fault of this program, so that it does not send the same again and again. */
  #restsUntil = -Infinity;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#options.waiting();
  }

  get health(): Pick<Channel, 'deliveredAt' | 'failing'> {
    return { deliveredAt: this.#deliveredAt, failing: this.#failing };
  }

  /** What the store knows of how it went before this start, newest first. */
  recall(past: readonly NoticeRecord[]): void {
    const [last] = past.filter(({ attempts }) => attempts > 0);
    this.#deliveredAt = past.reduce<number | null>(
      (latest, { deliveredAt }) =>
        deliveredAt !== null && deliveredAt > (latest ?? 0) ? deliveredAt : latest,
      null,
    );
    if (!last || last.deliveredAt !== null || last.error === null) return;
    this.#failures = last.attempts;
    this.#failing = { since: last.failedAt ?? last.at, error: last.error };
  }

  add(notices: readonly NoticeRecord[]): void {
    for (const { id } of notices) this.#queue.push(id);
  }

  /** Tries what waits at once: something about the channel was changed. */
  async hurry(): Promise<void> {
    const [head] = this.#pending(1);
    const at = this.#options.now();
    if (head && head.nextAt !== null && head.nextAt > at) {
      await this.#options.ledger.put([{ ...head, nextAt: at }]);
    }
  }

  /** Sends what is due, unless something is being sent. */
  turn(): void {
    if (this.#sending) return;
    const batch = this.#due();
    if (batch.length === 0) return;
    this.#sending = this.#tell(batch)
      .catch((error: unknown) => this.#rest(error))
      .finally(() => (this.#sending = null));
  }

  /** Does something with the same receiver while nothing is being sent; false = something is. */
  beside(work: () => Promise<Outcome>): boolean {
    if (this.#sending) return false;
    this.#sending = work()
      .then((outcome) => this.note(outcome))
      .finally(() => (this.#sending = null));
    return true;
  }

  /** Its settings are others: nothing is known of how it fares. */
  async begin(): Promise<void> {
    this.#failures = 0;
    this.#failing = null;
    await this.hurry();
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** How something beside the queue fared: a test, a reminder. */
  note(outcome: Outcome): void {
    const at = this.#options.now();
    if (outcome.kind === 'delivered') {
      this.#failing = null;
      this.#failures = 0;
      this.#deliveredAt = at;
    } else {
      this.#failing = { since: this.#failing?.since ?? at, error: inEnglish([outcome.why]) };
    }
  }

  /** The first that wait, `most` of them. */
  #pending(most: number): NoticeRecord[] {
    const { ledger } = this.#options;
    const pending: NoticeRecord[] = [];
    let at = 0;
    for (; at < this.#queue.length && pending.length < most; at++) {
      const notice = ledger.get(this.#queue[at] ?? '');
      if (notice && isPending(notice)) pending.push(notice);
    }
    // What is done with is looked at once, not each time.
    if (at > pending.length) {
      this.#queue = [...pending.map(({ id }) => id), ...this.#queue.slice(at)];
    }
    return pending;
  }

  #due(): NoticeRecord[] {
    const { now, joins, waiting } = this.#options;
    if (this.#queue.length === 0 || now() < this.#restsUntil) return [];
    const [head] = this.#pending(1);
    if (!head || head.nextAt === null || head.nextAt > now()) return [];
    return joins() ? this.#pending(this.#pace.atOnce(waiting(), now())) : [head];
  }

  async #tell(batch: readonly NoticeRecord[]): Promise<void> {
    const { ledger, open, send, now } = this.#options;
    const settings = open();
    // From now on it may have been seen, also should this process end before the answer.
    const begun = batch.map((notice) => ({
      ...notice,
      attempts: notice.attempts + 1,
      maybeSeen: notice.maybeSeen || settings !== null,
    }));
    await ledger.put(begun);
    const outcome = settings
      ? await send(settings, { id: joinedId(batch), notices: begun })
      : SEALED();
    const at = now();
    if (outcome.kind === 'delivered') this.#pace.sent(batch.length, at);
    else this.#failures += 1;
    this.note(outcome);
    const delayMs = this.#delayMs(outcome);
    const after = begun.map((notice, i) => {
      const wasSeen = batch[i]?.maybeSeen ?? false;
      return settle(notice, outcome, { at, delayMs, wasSeen });
    });
    await ledger.put(after);
    await this.#options.onOutcome(after, outcome);
  }

  #rest(error: unknown): void {
    this.#failures += 1;
    this.#restsUntil = this.#options.now() + backOffMs(this.#failures, null, this.#options.random);
    process.emitWarning(`a notice was sent and not kept: ${String(error)}`);
  }

  #delayMs(outcome: Outcome): number {
    const asked = outcome.kind === 'failed' ? outcome.retryAfterMs : null;
    return backOffMs(Math.max(1, this.#failures), asked, this.#options.random);
  }
}

/** The notice after an attempt. */
function settle(
  notice: NoticeRecord,
  outcome: Outcome,
  { at, delayMs, wasSeen }: { at: number; delayMs: number; wasSeen: boolean },
): NoticeRecord {
  if (outcome.kind === 'delivered') {
    return { ...notice, deliveredAt: at, nextAt: null, error: null, maybeSeen: true };
  }
  const error = inEnglish([outcome.why]);
  const failedAt = notice.failedAt ?? at;
  const maybeSeen = wasSeen || (outcome.kind === 'failed' && outcome.maybeSeen);
  const tried = { ...notice, failedAt, maybeSeen };
  if (outcome.kind === 'refused') return { ...tried, error, nextAt: null };
  if (at - notice.at < GIVEN_UP_AFTER_MS) return { ...tried, error, nextAt: at + delayMs };
  const afterMs = at - notice.at;
  const givenUp = said('notify:given-up', { afterMs, last: error }).text;
  return { ...tried, error: givenUp, nextAt: null };
}
