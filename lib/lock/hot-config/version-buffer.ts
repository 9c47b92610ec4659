import { LockError } from '../errors.js';
import type { ConfigText } from './config-wire.js';
import type { ConfigSnapshot, RefusedVersion } from './contract.js';

export interface BufferOptions<T> {
  name: string;
  /** Turns what was read into what is used, wholly, before it is put into force; throws to keep it out. */
  validate?: (content: unknown) => T | Promise<T>;
  /** Called after the swap. */
  onSwap: (now: ConfigSnapshot<T>, before: ConfigSnapshot<T> | null) => void;
  onRefused: (refused: RefusedVersion) => void;
}

/**
 * Two buffers: `current` is in force while the next version is made ready beside it; then one assignment
 * swaps them. One version is made ready at a time, the newest that was offered; those between are left out.
 */
export class VersionBuffer<T> {
  readonly #options: BufferOptions<T>;
  #current: ConfigSnapshot<T> | null = null;
  #refused: RefusedVersion | null = null;
  #next: ConfigText | null = null;
  #judged = 0;
  #isPreparing = false;

  constructor(options: BufferOptions<T>) {
    this.#options = options;
  }

  get current(): ConfigSnapshot<T> | null {
    return this.#current;
  }

  /** The newest version when it was kept out; null when the newest is in force. */
  get refused(): RefusedVersion | null {
    return this.#refused;
  }

  /** Takes a version unless it is no newer than what was offered before. */
  offer(text: ConfigText): void {
    if (text.version <= Math.max(this.#judged, this.#next?.version ?? 0)) return;
    this.#next = text;
    if (!this.#isPreparing) this.#prepare();
  }

  /** Without a pause where `validate` answers at once, so that the swap happens as the version arrives. */
  #prepare(): void {
    const text = this.#next;
    if (!text) return;
    this.#next = null;
    this.#judged = text.version;
    try {
      const content = this.#read(text);
      if (content instanceof Promise) this.#await(text, content);
      else this.#swap(text, content);
    } catch (error) {
      this.#keepOut(text, error);
    }
  }

  #await(text: ConfigText, content: Promise<T>): void {
    this.#isPreparing = true;
    content
      .then(
        (ready) => this.#swap(text, ready),
        (error: unknown) => this.#keepOut(text, error),
      )
      .finally(() => {
        this.#isPreparing = false;
        this.#prepare();
      });
  }

  #read({ text }: ConfigText): T | Promise<T> {
    const content: unknown = JSON.parse(text);
    const { validate } = this.#options;
    // Without `validate` the caller's type is taken at its word.
    return validate ? validate(content) : (content as T);
  }

  #swap({ version, at }: ConfigText, content: T): void {
    const before = this.#current;
    this.#current = Object.freeze({ version, at, content });
    this.#refused = null;
    this.#options.onSwap(this.#current, before);
  }

  #keepOut({ version, at }: ConfigText, cause: unknown): void {
    const said = cause instanceof Error ? cause.message : `${cause}`;
    const inForce = this.#current
      ? `version ${this.#current.version} stays in force`
      : 'none is in force';
    const error = new LockError(
      'CONTENT_REFUSED',
      `Version ${version} of the configuration ${this.#options.name} was kept out (${said}); ${inForce}.`,
      { name: this.#options.name, version, inForce: this.#current?.version ?? null },
      cause,
    );
    this.#refused = { version, at, error };
    this.#options.onRefused(this.#refused);
  }
}
