import { ownerOf } from './claim.js';
import type { Lock } from './contract.js';
import type { Hold } from './hold.js';
import { validTtl } from './options.js';

/** One entry into a hold, as its user sees it. */
export class HeldLock implements Lock {
  readonly #hold: Hold;
  readonly #depth: number;
  #released: Promise<void> | null = null;

  constructor(hold: Hold) {
    this.#hold = hold;
    this.#depth = hold.depth;
  }

  get hold(): Hold {
    return this.#hold;
  }
  get name(): string {
    return this.#hold.claim.way.name;
  }
  get key(): string {
    return this.#hold.claim.way.key;
  }
  get owner(): string {
    return ownerOf(this.#hold.claim);
  }
  get fence(): number {
    return this.#hold.fence;
  }
  get depth(): number {
    return this.#depth;
  }
  get ttlMs(): number {
    return this.#hold.ttlMs;
  }
  get businessId(): string | null {
    return this.#hold.claim.businessId;
  }
  get waitedMs(): number {
    return this.#hold.waitedMs;
  }
  get remainingMs(): number {
    return this.isHeld ? Math.max(0, this.#hold.expiresAt - performance.now()) : 0;
  }
  get isHeld(): boolean {
    return this.#released === null && this.#hold.end === null;
  }
  get signal(): AbortSignal {
    return this.#hold.signal;
  }

  assertHeld(): void {
    this.#hold.assertHeld();
  }

  extend(ttlMs?: number): Promise<void> {
    return this.#hold.extend(ttlMs === undefined ? this.#hold.ttlMs : validTtl(ttlMs));
  }

  release(): Promise<void> {
    this.#released ??= this.#hold.leave();
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}

/** The hold behind a lock of ours, for whoever runs work inside it. */
export function holdOf(lock: Lock): Hold {
  if (lock instanceof HeldLock) return lock.hold;
  throw new TypeError('not a lock of this module');
}
