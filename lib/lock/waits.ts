import type { Attempt } from './attempt.js';
import type { Audience } from './audience.js';
import type { LockClientOptions } from './contract.js';
import type { Followed, Inbox } from './inbox.js';
import { BEAT_MS } from './scripts/shared.js';

/** Redisson's instances are UUIDs of version 4, ours of version 8. */
const isOurs = (owner: string): boolean => owner.charAt(14) === '8';

/** Names come from outside: none may begin a line of a log, or move the cursor of who reads it. */
const inOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

/** A client that shares more keys with another library finds some of them free a beat later. */
const MOST_SHARED = 1000;

/** Where Redisson's fair lock tells the one that heads its queue. */
const asHead = ({ claim: { way }, owner }: Attempt): Followed => ({
  channel: `${way.channel}:${owner}`,
  key: way.key,
});

interface WaitsOptions {
  instance: string;
  inboxes: readonly Inbox[];
  /** Whether a hold of this task and key is there. */
  isHeld: (task: string, key: string) => boolean;
  audience: Audience;
  log: LockClientOptions['log'];
}

/** The waits of one client: found by task and key when a message comes, and kept alive by one timer. */
export class Waits {
  /** Attempts that Redis has not answered yet. */
  readonly asked = new Set<Attempt>();
  readonly #attempts = new Map<string, Attempt>();
  readonly #options: WaitsOptions;
  /** Keys that another library holds now and then: it may be the one that hands them on. */
  readonly #shared = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #nextBeatAt = Infinity;

  constructor(options: WaitsOptions) {
    this.#options = options;
  }

  get all(): Iterable<Attempt> {
    return this.#attempts.values();
  }

  find(task: string, key: string): Attempt | undefined {
    return this.#attempts.get(`${task} ${key}`);
  }

  /** Whether the task has, wants or asks for the lock. */
  isTaken(task: string, key: string): boolean {
    const isAsked = [...this.asked].some(
      ({ claim }) => claim.task === task && claim.way.key === key,
    );
    return isAsked || this.#options.isHeld(task, key) || this.find(task, key) !== undefined;
  }

  add(attempt: Attempt): void {
    const { claim, owner } = attempt;
    const { way, businessId } = claim;
    this.#attempts.set(this.#id(attempt), attempt);
    if (this.#shared.has(way.key)) {
      for (const inbox of this.#options.inboxes) inbox.follow(asHead(attempt));
    }
    this.#timer ??= setInterval(this.#beat, BEAT_MS);
    if (this.#nextBeatAt === Infinity) this.#nextBeatAt = performance.now() + BEAT_MS;
    const { holder } = attempt;
    this.#options.audience.emit({
      event: 'waiting',
      key: way.key,
      owner,
      holder,
      ...(businessId === null ? {} : { businessId }),
    });
    const { log, instance } = this.#options;
    log?.info(
      `WAITING_FOR_LOCK key=${inOneLine(way.key)} holder=${inOneLine(holder) || 'unknown'} instance=${instance}`,
    );
  }

  remove(attempt: Attempt): void {
    if (!this.#attempts.delete(this.#id(attempt))) return;
    const { way } = attempt.claim;
    for (const inbox of this.#options.inboxes) inbox.ignore(asHead(attempt));
    const followed = this.#options.inboxes.filter((inbox) => inbox.isFollowing(way));
    if (followed.length > 0 && !this.#isAwaited(way.key)) {
      for (const inbox of followed) inbox.ignore(way);
    }
    if (this.#attempts.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#nextBeatAt = Infinity;
  }

  #isAwaited(key: string): boolean {
    for (const { claim } of this.#attempts.values()) if (claim.way.key === key) return true;
    return false;
  }

  /** Told for each attempt that ended without the lock. */
  ended(attempt: Attempt, event: 'timed-out' | 'cancelled'): void {
    const { claim, owner } = attempt;
    const { way, businessId } = claim;
    this.#options.audience.emit({
      event,
      key: way.key,
      owner,
      holder: attempt.holder,
      waitedMs: attempt.waitedMs,
      ...(businessId === null ? {} : { businessId }),
    });
  }

  /** A holder of another library announces its release on the lock's channel, or to the head of its queue. */
  heldBy(attempt: Attempt, holder: string): void {
    if (holder === '' || isOurs(holder)) return;
    const { way } = attempt.claim;
    this.#share(way.key);
    for (const inbox of this.#options.inboxes) {
      inbox.follow(way);
      inbox.follow(asHead(attempt));
    }
  }

  /** It was free and nobody had said so: whoever gave it back may have told the head of the queue. */
  foundFree({ claim }: Attempt): void {
    this.#share(claim.way.key);
  }

  #share(key: string): void {
    this.#shared.delete(key);
    this.#shared.add(key);
    const [oldest] = this.#shared;
    if (this.#shared.size > MOST_SHARED && oldest !== undefined) this.#shared.delete(oldest);
  }

  isBeforeNextBeat(inMs: number): boolean {
    return performance.now() + inMs < this.#nextBeatAt;
  }

  /** The first that waits for `key` asks again: if it is another's turn, Redis tells that one. */
  tryKey(key: string): void {
    for (const attempt of this.#attempts.values()) {
      if (attempt.claim.way.key !== key) continue;
      attempt.beat();
      return;
    }
  }

  beatAll(): void {
    for (const attempt of this.#attempts.values()) attempt.beat();
  }

  readonly #beat = (): void => {
    const now = performance.now();
    this.#nextBeatAt = now + BEAT_MS;
    for (const attempt of this.#attempts.values()) {
      if (!attempt.isBeating && now - attempt.heardAt > BEAT_MS / 2) attempt.beat(true);
    }
  };

  #id({ claim }: Attempt): string {
    return `${claim.task} ${claim.way.key}`;
  }
}
