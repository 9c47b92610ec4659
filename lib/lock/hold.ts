import { ownerOf, type Claim } from './claim.js';
import type { LockLostError } from './errors.js';
import { fromRedis } from './from-redis.js';
import { lost, notHeld, silent, type HoldFacts, type LossReason } from './hold-errors.js';
import type { Household } from './household.js';
import { createLeaseSignal, type LeaseSignal } from './lease-signal.js';
import { IGNORED, type Operation } from './sender.js';

/** How a claim became a hold. */
export interface Grant {
  fence: number;
  /** performance.now(): the lease counts from then. */
  sentAt: number;
  /** What is set in Redis: of a lock that was handed over less than the claim's, until its first renewal. */
  leaseMs: number;
  /** 0 unless it waited. */
  waitedMs: number;
}

/** A lock that was handed over gets its full lease once it is held this long: most holds are over by then. */
const CONFIRM_MS = 50;

/** Clocks of two machines may run apart by a hundredth; the same correction as Redlock's. */
const safeMs = (leaseMs: number): number => leaseMs - (leaseMs * 0.01 + 2);

const NONE: readonly number[] = [];

/**
 * One owner's time with a lock, shared by all locks that entered it again. Its lease counts from before the
 * operation that set it was sent, so that it ends here before it ends in Redis.
 */
export class Hold {
  readonly claim: Claim;
  readonly fence: number;
  readonly waitedMs: number;
  /** Called once, when it is released or lost. */
  readonly #ended: ((hold: Hold) => void) | undefined;
  readonly #household: Household;
  readonly since = performance.now();
  depth = 1;
  ttlMs: number;
  /** performance.now() of the next renewal, and of the lease's end. */
  renewAt: number;
  expiresAt: number;
  isRenewing = false;
  /** The last renewal was not answered. */
  isCutOff = false;
  #end: 'released' | LossReason | null = null;
  /** Ends of the leases that were asked for and not answered, in the order they were sent. */
  #asked: readonly number[] = NONE;
  #signal: LeaseSignal | null = null;

  constructor(claim: Claim, grant: Grant, household: Household, ended?: (hold: Hold) => void) {
    this.claim = claim;
    this.fence = grant.fence;
    this.waitedMs = grant.waitedMs;
    this.ttlMs = claim.ttlMs;
    const { sentAt, leaseMs } = grant;
    this.expiresAt = sentAt + safeMs(leaseMs);
    this.renewAt = leaseMs < claim.ttlMs ? this.since + CONFIRM_MS : sentAt + leaseMs / 3;
    this.#household = household;
    this.#ended = ended;
    household.keeper.add(this);
  }

  /** The task without the way's suffix: what enters again is of the same line of work. */
  get scope(): string {
    const { task, way } = this.claim;
    return way.suffix === '' ? task : task.slice(0, -way.suffix.length);
  }

  get end(): 'released' | LossReason | null {
    if (this.#end === null && performance.now() >= this.expiresAt) this.expire();
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
    if (end === 'released') throw notHeld(this.#about());
    if (end !== null) throw this.lostError();
  }

  /** Its lease is over by this process's clock. */
  expire(): void {
    this.lose(this.isRenewing || this.isCutOff ? 'unreachable' : 'lease-ended');
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
    if (this.#household.reports === 'off') return;
    const { way, task, businessId } = this.claim;
    const fields = [
      'heldMs',
      this.#heldMs(),
      'fence',
      `${this.fence}`,
      'businessId',
      businessId ?? '',
    ];
    way.sender.add(IGNORED, 'x', way.key, task, this.ttlMs, JSON.stringify(['lost', ...fields]));
  }

  lostError(): LockLostError {
    return lost(this.#about(), this.#end ?? 'lease-ended');
  }

  /** Sends the renewal; the lease ends by itself when none is answered in time. */
  renew(): void {
    this.isRenewing = true;
    this.#setLease(this.ttlMs).then(
      () => {
        this.isRenewing = false;
        this.isCutOff = false;
      },
      (error: unknown) => {
        this.isRenewing = false;
        const { code } = fromRedis(error);
        if (code === 'WRONG_TYPE') this.lose('revoked');
        // Tried again soon; past the lease's end the keeper gives it up.
        this.isCutOff = code === 'REDIS_UNREACHABLE' || code === 'QUORUM_NOT_REACHED';
        this.renewAt = performance.now() + Math.max(50, this.ttlMs / 20);
        this.#household.keeper.hurry(this);
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
      this.#household.keeper.hurry(this);
    }
    this.#asked = [...this.#asked, expiresAt];
    if ((await this.#send('n', '')) !== 1) {
      this.lose('revoked');
      return;
    }
    // One that was sent later may be set already: a cut can hide its answer, never lengthen it.
    this.#asked = this.#asked.slice(this.#asked.indexOf(expiresAt) + 1);
    this.expiresAt = Math.min(expiresAt, ...this.#asked);
    this.renewAt = sentAt + ttlMs / 3;
    this.#household.keeper.hurry(this);
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
    await this.#send(this.claim.fair ? 'r' : 'R', this.#farewell());
  }

  async #free(): Promise<void> {
    this.#leaveKeeper('released');
    const status = await this.#send(this.claim.fair ? 'r' : 'R', this.#farewell());
    if (status !== 0) {
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
    this.#household.keeper.remove(this);
    this.#ended?.(this);
  }

  #farewell(): string {
    const { reports } = this.#household;
    if (reports === 'off' || (reports === 'contended' && this.waitedMs === 0)) return '';
    const waitedMs = Math.round(this.waitedMs);
    return `${waitedMs} ${this.#heldMs()} ${this.fence} ${this.claim.businessId ?? ''}`;
  }

  #heldMs(): string {
    return `${Math.max(0, Math.round(performance.now() - this.since))}`;
  }

  #about(): HoldFacts {
    return { key: this.claim.way.key, owner: ownerOf(this.claim), fence: this.fence };
  }

  #tell(event: 'released' | 'lost'): void {
    const { audience } = this.#household;
    if (!audience.isThere) return;
    const { businessId } = this.claim;
    audience.emit({
      event,
      ...this.#about(),
      waitedMs: this.waitedMs,
      heldMs: performance.now() - this.since,
      ...(businessId === null ? {} : { businessId }),
    });
  }

  #send(code: 'n' | 'e' | 'r' | 'R', extra: string): Promise<number> {
    const { way, task } = this.claim;
    return new Promise<number>((resolve, reject) => {
      let stop: (() => void) | undefined;
      const answer: Operation = {
        answered: (status) => {
          stop?.();
          if (status === 1 && (code === 'n' || code === 'e') && this.#isLost()) this.#giveBack();
          resolve(status);
        },
        failed: (error) => {
          stop?.();
          reject(error);
        },
        // Past its lease a lock is free whatever Redis answers: nobody has to wait longer than that.
        slow: () => {
          stop = this.#atLeaseEnd(() => {
            if (this.#end === null) this.lose('unreachable');
            reject(silent(this.#about()));
          });
        },
      };
      way.sender.add(answer, code, way.key, task, this.ttlMs, extra);
    });
  }

  /** Calls `over` once the lease is over, however often it is renewed until then; returns what stops that. */
  #atLeaseEnd(over: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    // By a timer also where it is over: after a pause of the process the answer may be here already.
    const wait = (): void => {
      const leftMs = Math.max(0, this.expiresAt - performance.now());
      timer = setTimeout(look, Math.ceil(leftMs)).unref();
    };
    const look = (): void => (this.expiresAt > performance.now() ? wait() : over());
    wait();
    return () => clearTimeout(timer);
  }

  /** Redis set the lease anew when it was over here: nobody holds it, and others need not wait for its end. */
  #giveBack(): void {
    const { way, task, fair } = this.claim;
    if (this.#household.isTaken(task, way.key)) return;
    way.sender.add(IGNORED, fair ? 'r' : 'R', way.key, task, this.ttlMs, '');
  }
}
