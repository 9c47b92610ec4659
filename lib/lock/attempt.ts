import { ownerOf, type Claim } from './claim.js';
import { LockAcquisitionTimeoutException, LockError } from './errors.js';
import { fromRedis as asLockError } from './from-redis.js';
import type { Grant } from './hold.js';
import { GRANT_MS } from './scripts/shared.js';
import { IGNORED, type Operation, type OperationCode } from './sender.js';
import type { Waits } from './waits.js';

/** The part of a handed-over lease that may have gone by unheard before it is asked about. */
const FRESH = 0.2;

/** What an attempt comes to. */
export interface Outcome {
  granted: (grant: Grant) => void;
  /** It cannot be had at once, and the attempt does not wait. `holder` may be empty. */
  refused: (holder: string) => void;
  failed: (error: Error) => void;
}

/**
 * One attempt at a lock: asked → granted, refused or waiting; waiting → granted, timed out or cancelled.
 * Whatever ends a wait leaves the queue by one operation that also gives back a lock granted meanwhile.
 */
export class Attempt implements Operation {
  readonly claim: Claim;
  readonly startedAt = performance.now();
  readonly #outcome: Outcome;
  readonly #waits: Waits;
  #state: 'asked' | 'waiting' | 'done' | 'left' = 'asked';
  /** When the last operation was sent after which Redis had us waiting. */
  #heardAt = this.startedAt;
  #unansweredBeats = 0;
  /** Redis's, µs, when it last had us waiting: the fence of any later grant is greater. */
  #clock = Infinity;
  #holder = '';
  /** Why the last operation came to nothing, where that is no refusal: too few nodes. */
  #obstacle: LockError | null = null;
  #timer: NodeJS.Timeout | null = null;
  #poke: NodeJS.Timeout | null = null;
  #aborted: (() => void) | null = null;

  constructor(claim: Claim, waits: Waits, outcome: Outcome) {
    this.claim = claim;
    this.#waits = waits;
    this.#outcome = outcome;
    waits.asked.add(this);
    if (claim.signal) {
      this.#aborted = () => this.#endByAbort();
      claim.signal.addEventListener('abort', this.#aborted, { once: true });
    }
    const [fair, barging] = claim.waitMs === 0 ? (['t', 'T'] as const) : (['w', 'W'] as const);
    this.#send(this, claim.fair ? fair : barging);
  }

  get owner(): string {
    return ownerOf(this.claim);
  }

  /** Empty where Redis did not tell. */
  get holder(): string {
    return this.#holder;
  }

  get waitedMs(): number {
    return performance.now() - this.startedAt;
  }

  /** When Redis last had it waiting, performance.now(). */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Another beat would only stand behind one that Redis has not answered. */
  get isBeating(): boolean {
    return this.#unansweredBeats > 0;
  }

  /**
   * Tells Redis that this waiter is alive, and takes the lock if it is its turn. `isRoutine`: nobody has said
   * that it might be.
   */
  beat(isRoutine = false): void {
    const sentAt = performance.now();
    this.#unansweredBeats += 1;
    this.#send(
      {
        answered: (status, value) => {
          this.#unansweredBeats -= 1;
          if (isRoutine && status === 1 && this.#state === 'waiting') this.#waits.foundFree(this);
          this.#heard(status, value, sentAt);
        },
        failed: (error) => {
          this.#unansweredBeats -= 1;
          this.failed(error);
        },
      },
      'b',
    );
  }

  #send(operation: Operation, code: OperationCode): void {
    const { way, task, ttlMs, businessId } = this.claim;
    way.sender.add(operation, code, way.key, task, ttlMs, businessId ?? '');
  }

  answered(status: number, value: number | string): void {
    this.#heard(status, value, this.startedAt);
  }

  #heard(status: number, value: number | string, sentAt: number): void {
    if (this.#state === 'left' && (status === 1 || this.claim.waitMs > 0)) this.#giveBack();
    if (this.#state === 'done' || this.#state === 'left') return;
    if (status === 1) {
      this.#granted(Number(value), sentAt);
      return;
    }
    this.#obstacle = null;
    const [left = '', clock = '', ...holder] = `${value}`.split(' ');
    this.#holder = holder.join(' ');
    if (this.claim.waitMs === 0) {
      this.#finish();
      this.#outcome.refused(this.#holder);
      return;
    }
    this.#heardAt = sentAt;
    this.#clock = Number(clock);
    if (this.#state === 'asked') this.#beginWait();
    this.#waits.heldBy(this, this.#holder);
    this.#pokeAt(Number(left));
  }

  /** A lease that ends before the next beat is waited for to the millisecond. */
  #pokeAt(leftMs: number): void {
    if (this.#poke || leftMs < 0 || !this.#waits.isBeforeNextBeat(leftMs)) return;
    this.#poke = setTimeout(() => {
      this.#poke = null;
      if (this.#state === 'waiting') this.beat();
    }, leftMs + 1);
  }

  #beginWait(): void {
    this.#state = 'waiting';
    this.#waits.asked.delete(this);
    this.#endInTime();
    this.#waits.add(this);
  }

  #endInTime(): void {
    const leftMs = Math.max(0, this.claim.waitMs - this.waitedMs);
    this.#timer ??= setTimeout(() => this.#timedOut(), leftMs);
  }

  /**
   * A message says that the lock was handed over, for {@link GRANT_MS} from some moment after {@link #heardAt}.
   * Where much of that may have gone by, or the message is of an earlier grant or may be of an earlier wait of the
   * same task, it counts once Redis has answered, and has set the full lease.
   */
  handedOver(fence: number): void {
    if (this.#state !== 'waiting') return;
    const leaseMs = Math.min(GRANT_MS, this.claim.ttlMs);
    const isFresh = performance.now() < this.#heardAt + leaseMs * FRESH;
    if (isFresh && this.claim.isNewTask && fence > this.#clock)
      this.#granted(fence, this.#heardAt, leaseMs);
    else this.beat();
  }

  #granted(fence: number, sentAt: number, leaseMs = this.claim.ttlMs): void {
    // Heard after its lease ended, as after a pause of the process: it is somebody else's by now, or nobody's.
    if (performance.now() >= sentAt + this.claim.ttlMs) {
      this.#heardTooLate();
      return;
    }
    const waited = this.#state === 'waiting';
    const waitedMs = waited ? this.waitedMs : 0;
    this.#finish();
    this.#outcome.granted({ fence, sentAt, waitedMs, leaseMs });
  }

  #heardTooLate(): void {
    if (this.claim.waitMs === 0) {
      this.#leave('cancelled', this.#silence());
      return;
    }
    if (this.#state === 'asked') this.#beginWait();
    this.beat();
  }

  failed(error: Error): void {
    if (this.#state === 'done' || this.#state === 'left') return;
    const { code } = asLockError(error);
    // A wait outlives a connection: ioredis makes a new one, and the next beat joins again.
    if (this.#state === 'waiting' && code === 'REDIS_UNREACHABLE') return;
    if (code === 'QUORUM_NOT_REACHED' && this.claim.waitMs > 0) {
      this.#obstacle = asLockError(error);
      if (this.#state === 'asked') this.#beginWait();
      return;
    }
    // Redis may have done it all the same, or a part of it.
    this.#leave('cancelled', error);
  }

  slow(): void {
    if (this.#state === 'asked') this.#endInTime();
  }

  /** Ends the wait from outside: the client closes. Resolves when Redis has heard of it, or cannot. */
  end(error: LockError): Promise<void> {
    return new Promise((resolve) => {
      this.#leave('cancelled', error, { answered: () => resolve(), failed: () => resolve() });
    });
  }

  #timedOut(): void {
    const { way, waitMs } = this.claim;
    const waitedMs = Math.round(this.waitedMs);
    const fields = {
      key: way.key,
      owner: this.owner,
      holder: this.#holder || null,
      waitedMs,
      waitMs,
    };
    if (this.#state === 'asked') {
      this.#leave('timed-out', this.#silence());
      return;
    }
    if (this.#obstacle) {
      this.#leave('timed-out', this.#obstacle);
      return;
    }
    const held = this.#holder ? `; it is held by ${this.#holder}` : '';
    const text = `The lock ${way.key} was not granted within ${waitMs} ms${held}.`;
    this.#leave('timed-out', new LockAcquisitionTimeoutException(text, fields));
  }

  #silence(): LockError {
    const { key } = this.claim.way;
    const waitedMs = Math.round(this.waitedMs);
    const text = `Redis has not answered the attempt at ${key} within ${waitedMs} ms.`;
    return new LockError('REDIS_UNREACHABLE', text, { key, owner: this.owner, waitedMs });
  }

  #endByAbort(): void {
    const { way, signal } = this.claim;
    const fields = { key: way.key, owner: this.owner, waitedMs: Math.round(this.waitedMs) };
    const text = `The attempt at ${way.key} was given up by its signal.`;
    this.#leave('cancelled', new LockError('ABORTED', text, fields, signal?.reason));
  }

  #leave(event: 'timed-out' | 'cancelled', error: Error, operation = IGNORED): void {
    const { way, task, ttlMs, businessId } = this.claim;
    const waited = this.#state === 'waiting';
    this.#finish();
    this.#state = 'left';
    if (waited) this.#waits.ended(this, event);
    const report = `${event} ${Math.round(this.waitedMs)} ${this.#holder} ${businessId ?? ''}`;
    way.sender.add(operation, 'l', way.key, task, ttlMs, report);
    this.#outcome.failed(error);
  }

  /** An operation was overtaken by the one that left: what it took is nobody's, unless the task came back. */
  #giveBack(): void {
    const { way, task, ttlMs } = this.claim;
    if (this.#waits.isTaken(task, way.key)) return;
    way.sender.add(IGNORED, 'l', way.key, task, ttlMs, 'cancelled 0  ');
  }

  #finish(): void {
    const waited = this.#state === 'waiting';
    this.#state = 'done';
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#poke) clearTimeout(this.#poke);
    if (this.#aborted) this.claim.signal?.removeEventListener('abort', this.#aborted);
    this.#waits.asked.delete(this);
    if (waited) this.#waits.remove(this);
  }
}
