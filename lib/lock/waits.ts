import type { Attempt } from './attempt.js';
import type { Audience } from './audience.js';
import type { LockClientOptions } from './contract.js';
import type { Inbox } from './inbox.js';
import { BEAT_MS } from './scripts/shared.js';

/** Redisson's instances are UUIDs of version 4, ours of version 8. */
const isOurs = (owner: string): boolean => owner.charAt(14) === '8';

/** Names come from outside: none may begin a line of a log, or move the cursor of who reads it. */
const inOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');

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

  /** A holder of another library announces its release on the lock's own channel only. */
  heldBy(attempt: Attempt, holder: string): void {
    if (holder === '' || isOurs(holder)) return;
    for (const inbox of this.#options.inboxes) inbox.follow(attempt.claim.way);
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
      if (!attempt.isBeating && now - attempt.heardAt > BEAT_MS / 2) attempt.beat();
    }
  };

  #id({ claim }: Attempt): string {
    return `${claim.task} ${claim.way.key}`;
  }
}
