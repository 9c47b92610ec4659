import { LockAcquisitionTimeoutException, LockError } from './errors.js';
import type { LockNames } from './names.js';
import { IGNORED, type Operation, type OperationCode, type Sender } from './sender.js';
import type { Waits } from './waits.js';

export interface AttemptOptions {
  names: LockNames;
  owner: string;
  task: string;
  sender: Sender;
  ttlMs: number;
  waitMs: number;
  fair: boolean;
  businessId: string | null;
  signal: AbortSignal | undefined;
  waits: Waits;
  settle: Settle;
}

/** How a lock was got: what its hold begins with. Ms and performance.now(). */
export interface Grant {
  fence: number;
  sentAt: number;
  /** 0 unless it waited. */
  waitedMs: number;
}

export interface Settle {
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
  readonly options: AttemptOptions;
  readonly startedAt = performance.now();
  #state: 'asked' | 'waiting' | 'done' = 'asked';
  /** When the last operation was sent after which Redis had us waiting. */
  #heardAt = this.startedAt;
  #sentAt = this.startedAt;
  #holder = '';
  /** The token of a grant that was heard of. */
  #fence: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #poke: NodeJS.Timeout | null = null;

  constructor(options: AttemptOptions) {
    this.options = options;
    options.waits.asked.add(this);
    options.signal?.addEventListener('abort', this.#aborted, { once: true });
    if (options.waitMs === 0) this.#ask(options.fair ? 't' : 'T');
    else this.#ask(options.fair ? 'w' : 'W');
  }

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

  /** Tells Redis that this waiter is alive, and takes the lock if it is its turn. */
  beat(): void {
    this.#ask('b');
  }

  #ask(code: OperationCode): void {
    const { sender, names, owner, ttlMs, businessId } = this.options;
    this.#sentAt = performance.now();
    const sentAt = this.#sentAt;
    const operation: Operation =
      this.#state === 'asked'
        ? this
        : {
            answered: (status, value) => this.#heard(status, value, sentAt),
            failed: (error) => this.failed(error),
          };
    sender.add(operation, code, names, owner, `${ttlMs}`, businessId ?? '');
  }

  answered(status: number, value: number | string): void {
    this.#heard(status, value, this.startedAt);
  }

  #heard(status: number, value: number | string, sentAt: number): void {
    if (this.#state === 'done') return;
    const { waitMs } = this.options;
    if (status === 1) {
      this.#granted(this.#fence ?? Number(value), sentAt);
      return;
    }
    this.#fence = null;
    const [left = '', ...holder] = `${value}`.split(' ');
    this.#holder = holder.join(' ');
    if (waitMs === 0) {
      this.#finish();
      this.options.settle.refused(this.#holder);
      return;
    }
    this.#heardAt = sentAt;
    if (this.#state === 'asked') this.#beginWait();
    this.options.waits.heldBy(this, this.#holder);
    this.#pokeAt(Number(left));
  }

  /** A lease that ends before the next beat is waited for to the millisecond. */
  #pokeAt(leftMs: number): void {
    if (this.#poke || leftMs < 0 || !this.options.waits.isBeforeNextBeat(leftMs)) return;
    this.#poke = setTimeout(() => {
      this.#poke = null;
      if (this.#state === 'waiting') this.beat();
    }, leftMs + 1);
  }

  #beginWait(): void {
    this.#state = 'waiting';
    this.options.waits.asked.delete(this);
    this.#timer ??= setTimeout(this.#timedOut, Math.max(0, this.options.waitMs - this.waitedMs));
    this.options.waits.add(this);
  }

  /** A message says that the lock was handed over; it counts once Redis has answered, and has set the full lease. */
  handedOver(fence: number): void {
    this.#fence = fence;
    if (this.#state === 'waiting') this.beat();
  }

  #granted(fence: number, sentAt: number): void {
    if (performance.now() >= sentAt + this.options.ttlMs) {
      // Heard after its lease ended, as after a pause of the process: it is somebody else's by now, or nobody's.
      this.beat();
      return;
    }
    const waitedMs = this.#state === 'waiting' ? this.waitedMs : 0;
    this.#finish();
    this.options.settle.granted({ fence, sentAt, waitedMs });
  }

  /** Nothing was asked of Redis that it has not refused, or the connection is gone. */
  failed(error: Error): void {
    if (this.#state === 'done') return;
    const code = error instanceof LockError ? error.code : null;
    // A wait outlives a connection: ioredis makes a new one, and the next beat joins again.
    if (this.#state === 'waiting' && code === 'REDIS_UNREACHABLE') return;
    if (code === 'QUORUM_NOT_REACHED' && this.options.waitMs > 0) {
      if (this.#state === 'asked') this.#beginWait();
      return;
    }
    this.#finish();
    this.options.settle.failed(error);
  }

  slow(): void {
    if (this.#state !== 'asked') return;
    const leftMs = Math.max(0, this.options.waitMs - this.waitedMs);
    this.#timer ??= setTimeout(this.#timedOut, leftMs);
  }

  /** Ends the wait from outside: the client closes. */
  end(error: LockError): void {
    this.#leave('cancelled', error);
  }

  readonly #timedOut = (): void => {
    const { names, owner, waitMs } = this.options;
    const waitedMs = Math.round(this.waitedMs);
    const fields = { key: names.lock, owner, holder: this.#holder || null, waitedMs, waitMs };
    if (this.#state === 'asked') {
      const text = `Redis has not answered the attempt at ${names.lock} within ${waitedMs} ms.`;
      this.#leave('timed-out', new LockError('REDIS_UNREACHABLE', text, fields));
      return;
    }
    const held = this.#holder ? `; it is held by ${this.#holder}` : '';
    const text = `The lock ${names.lock} was not granted within ${waitMs} ms${held}.`;
    this.#leave('timed-out', new LockAcquisitionTimeoutException(text, fields));
  };

  readonly #aborted = (): void => {
    const { names, owner, signal } = this.options;
    const waitedMs = Math.round(this.waitedMs);
    const text = `The attempt at ${names.lock} was given up by its signal.`;
    const fields = { key: names.lock, owner, waitedMs };
    this.#leave('cancelled', new LockError('ABORTED', text, fields, signal?.reason));
  };

  #leave(event: 'timed-out' | 'cancelled', error: LockError): void {
    if (this.#state === 'done') return;
    const { sender, names, owner, businessId, settle, waits } = this.options;
    const waited = this.#state === 'waiting';
    this.#finish();
    if (waited) waits.ended(this, event);
    const report = `${event} ${Math.round(this.waitedMs)} ${this.#holder} ${businessId ?? ''}`;
    sender.add(IGNORED, 'l', names, owner, '0', report);
    settle.failed(error);
  }

  #finish(): void {
    this.#state = 'done';
    this.options.waits.asked.delete(this);
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#poke) clearTimeout(this.#poke);
    this.options.signal?.removeEventListener('abort', this.#aborted);
    this.options.waits.remove(this);
  }
}
