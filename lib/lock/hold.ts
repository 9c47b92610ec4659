import type { LockEvent } from './contract.js';
import { LockError, LockLostError } from './errors.js';
import { createLeaseSignal, type LeaseSignal } from './lease-signal.js';
import type { LockNames } from './names.js';
import { IGNORED, type Operation, type Sender } from './sender.js';

/** Why a lease was lost. */
export type LossReason = 'lease-ended' | 'revoked' | 'unreachable' | 'closed';

export interface HoldOptions {
  names: LockNames;
  name: string;
  /** `<instance>:<task>`, with `:write` for a writer. */
  owner: string;
  task: string;
  sender: Sender;
  ttlMs: number;
  fence: number;
  /** performance.now() when the operation was sent that began the lease. */
  sentAt: number;
  waitedMs: number;
  businessId: string | null;
  fair: boolean;
  /** Whether its release and its loss are reported. */
  reports: { release: boolean; loss: boolean };
  keeper: HoldKeeper;
  audience: Audience;
  /** Called once, when it is released or lost. */
  ended: (() => void) | undefined;
}

/** Whoever listens to a client; `isThere` spares the making of events that nobody hears. */
export interface Audience {
  readonly isThere: boolean;
  emit: (event: LockEvent) => void;
}

/** Whoever renews holds: told of each one's begin and end. */
export interface HoldKeeper {
  add: (hold: Hold) => void;
  remove: (hold: Hold) => void;
  /** The hold has to be looked at earlier than was known. */
  hurry: (hold: Hold) => void;
}

/** Clocks of two machines may run apart by a hundredth; the same correction as Redlock's. */
const safeMs = (leaseMs: number): number => leaseMs - (leaseMs * 0.01 + 2);

/**
 * One owner's time with a lock, shared by all locks that entered it again. Its lease counts from before the
 * operation that set it was sent, so that it ends here before it ends in Redis.
 */
export class Hold {
  readonly options: HoldOptions;
  readonly since = performance.now();
  depth = 1;
  ttlMs: number;
  /** performance.now() of the next renewal, and of the lease's end. */
  renewAt: number;
  expiresAt: number;
  isRenewing = false;
  #end: 'released' | LossReason | null = null;
  #signal: LeaseSignal | null = null;

  constructor(options: HoldOptions) {
    this.options = options;
    this.ttlMs = options.ttlMs;
    this.expiresAt = options.sentAt + safeMs(options.ttlMs);
    this.renewAt = options.sentAt + options.ttlMs / 3;
    options.keeper.add(this);
  }

  get task(): string {
    return this.options.task;
  }

  get end(): 'released' | LossReason | null {
    if (this.#end === null && performance.now() >= this.expiresAt) this.lose('lease-ended');
    return this.#end;
  }

  get signal(): AbortSignal {
    this.#signal ??= createLeaseSignal(() => (this.#isLost() ? this.lostError() : null));
    return this.#signal.signal;
  }

  #isLost(): boolean {
    const { end } = this;
    return end !== null && end !== 'released';
  }

  /** Throws LOST or NOT_HELD. */
  assertHeld(): void {
    const { end } = this;
    if (end === 'released') throw this.#notHeld();
    if (end !== null) throw this.lostError();
  }

  lose(reason: LossReason): void {
    if (this.#end !== null) return;
    const { depth } = this;
    this.#leaveKeeper(reason);
    // Who enters again finds that it is lost, instead of taking it anew in the middle of its work.
    this.depth = depth;
    this.#mourn();
  }

  /** Tells signal, listeners and the report stream that the lease was lost. */
  #mourn(): void {
    this.#signal?.abort();
    this.#tell('lost');
    if (!this.options.reports.loss) return;
    const { sender, names, owner, fence, businessId } = this.options;
    const fields = ['heldMs', this.#heldMs(), 'fence', `${fence}`, 'businessId', businessId ?? ''];
    sender.add(IGNORED, 'x', names, owner, '0', JSON.stringify(['lost', ...fields]));
  }

  lostError(): LockLostError {
    const { names, owner, fence } = this.options;
    const why = {
      'lease-ended': 'its lease ended before it was renewed',
      revoked: 'it was taken away in Redis',
      unreachable: 'Redis could not be reached before its lease ended',
      closed: 'its client was closed',
      released: 'it was released',
    }[this.#end ?? 'lease-ended'];
    return new LockLostError(
      `The lock ${names.lock} is no longer ours: ${why}; stop what it protects.`,
      { key: names.lock, owner, fence, reason: this.#end },
    );
  }

  #notHeld(): LockError {
    const { names, owner, fence } = this.options;
    return new LockError('NOT_HELD', `The lock ${names.lock} was released already.`, {
      key: names.lock,
      owner,
      fence,
    });
  }

  /** Sends the renewal; the lease ends by itself when none is answered in time. */
  renew(): void {
    this.isRenewing = true;
    this.#setLease(this.ttlMs).then(
      () => {
        this.isRenewing = false;
      },
      () => {
        // Tried again soon; past the lease's end the keeper gives it up as unreachable.
        this.isRenewing = false;
        this.renewAt = performance.now() + Math.max(50, this.ttlMs / 20);
        this.options.keeper.hurry(this);
      },
    );
  }

  /** Throws LOST, NOT_HELD. */
  async extend(ttlMs: number): Promise<void> {
    this.assertHeld();
    this.ttlMs = ttlMs;
    await this.#setLease(ttlMs);
    this.assertHeld();
  }

  /** A shorter lease counts here from when it is sent, a longer one once Redis has set it. */
  async #setLease(ttlMs: number): Promise<void> {
    const sentAt = performance.now();
    const expiresAt = sentAt + safeMs(ttlMs);
    if (expiresAt < this.expiresAt) {
      this.expiresAt = expiresAt;
      this.options.keeper.hurry(this);
    }
    if ((await this.#send('n', '')) !== 1) {
      this.lose('revoked');
      return;
    }
    this.expiresAt = expiresAt;
    this.renewAt = sentAt + ttlMs / 3;
    this.options.keeper.hurry(this);
  }

  /** Throws LOST, NOT_HELD. */
  async enterAgain(): Promise<void> {
    this.assertHeld();
    this.depth += 1;
    const status = await this.#send('e', `${this.depth}`).catch((error: unknown) => {
      this.depth -= 1;
      throw error;
    });
    if (status !== 1) this.lose('revoked');
    this.assertHeld();
  }

  /** One release for each entry; the last frees the lock. Throws LOST. */
  async leave(): Promise<void> {
    this.assertHeld();
    this.depth -= 1;
    if (this.depth > 0) {
      const status = await this.#send('e', `${this.depth}`);
      if (status !== 1) this.lose('revoked');
      this.assertHeld();
      return;
    }
    await this.#free();
  }

  /** Releases it whatever its depth, since its client closes: whoever works under it hears so by the signal. */
  async close(): Promise<void> {
    if (this.#end !== null) return;
    this.#leaveKeeper('closed');
    this.#signal?.abort();
    this.#tell('released');
    await this.#send(this.options.fair ? 'r' : 'R', this.#farewell());
  }

  async #free(): Promise<void> {
    this.#leaveKeeper('released');
    const status = await this.#send(this.options.fair ? 'r' : 'R', this.#farewell());
    if (status === 1) {
      this.#tell('released');
      return;
    }
    this.#end = 'revoked';
    this.#mourn();
    throw this.lostError();
  }

  #leaveKeeper(end: 'released' | LossReason): void {
    this.#end = end;
    this.depth = 0;
    this.options.keeper.remove(this);
    this.options.ended?.();
  }

  #farewell(): string {
    const { reports, waitedMs, fence, businessId } = this.options;
    if (!reports.release) return '';
    return `${Math.round(waitedMs)} ${this.#heldMs()} ${fence} ${businessId ?? ''}`;
  }

  #heldMs(): string {
    return `${Math.max(0, Math.round(performance.now() - this.since))}`;
  }

  #tell(event: 'released' | 'lost'): void {
    const { audience, names, owner, fence, waitedMs, businessId } = this.options;
    if (!audience.isThere) return;
    audience.emit({
      event,
      key: names.lock,
      owner,
      fence,
      waitedMs,
      heldMs: performance.now() - this.since,
      ...(businessId === null ? {} : { businessId }),
    });
  }

  #send(code: 'n' | 'e' | 'r' | 'R', extra: string): Promise<number> {
    const { sender, names, owner } = this.options;
    return new Promise<number>((resolve, reject) => {
      const answer: Operation = { answered: resolve, failed: reject };
      if (code !== 'n') answer.slow = () => this.#giveUpAtEnd(reject);
      sender.add(answer, code, names, owner, `${this.ttlMs}`, extra);
    });
  }

  /** Past its lease a lock is free whatever Redis answers: nobody has to wait longer than that. */
  #giveUpAtEnd(reject: (error: Error) => void): void {
    const leftMs = Math.max(0, this.expiresAt - performance.now());
    setTimeout(() => {
      if (this.#end === null) this.lose('unreachable');
      const { lock } = this.options.names;
      reject(
        new LockError(
          'REDIS_UNREACHABLE',
          `Redis has not answered while ${lock} was held or released; its lease has ended by now.`,
          { key: lock },
        ),
      );
    }, leftMs).unref();
  }
}
