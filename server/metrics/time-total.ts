/**
 * How much time passed, summed over everything that is open: each that opens counts from its beginning on until it
 * closes. An end may be told after the total was; the total then stands still until it is true again.
 */
export class TimeTotal {
  #open = 0;
  #closedMs = 0;
  #toldMs = 0;

  get open(): number {
    return this.#open;
  }

  /** `count` began at `at`, any epoch as long as it is always the same; negative = so many ended. */
  change(count: number, at: number): void {
    this.#open += count;
    this.#closedMs -= count * at;
  }

  /** Adds what another counted, told and open. */
  merge(other: TimeTotal): void {
    this.#open += other.#open;
    this.#closedMs += other.#closedMs;
    this.#toldMs += other.#toldMs;
  }

  /** Milliseconds until `now`; never less than it told before. */
  tell(now: number): number {
    this.#toldMs = Math.max(this.#toldMs, this.#closedMs + this.#open * now);
    return this.#toldMs;
  }
}
