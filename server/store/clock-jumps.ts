/** Less is the jitter of two callers of one clock. */
const SET_BACK_MS = 1000;
/** The clock is read every second: after more than this it was set forward, or the process stood still. */
const SET_FORWARD_MS = 60_000;

/** Follows a clock that may be set while it is read. */
export class ClockJumps {
  /** Read last, and since when it has gone on without a jump. */
  #clock: { since: number; last: number } | null = null;

  /** Takes a reading (epoch ms). The time that will pass once more, where the clock was set back; else null. */
  follow(now: number): { from: number; to: number } | null {
    const { since, last } = (this.#clock ??= { since: now, last: now });
    const isSetBack = now < last - SET_BACK_MS;
    const isJump = isSetBack || now > last + SET_FORWARD_MS;
    this.#clock = { since: isJump ? now : since, last: now };
    return isSetBack ? { from: Math.max(now, since), to: last } : null;
  }
}
