/** Scripts that may be sent at once after a quiet time, so that a few events are each read at once. */
const BURST = 50;
/** Scripts a second under load. Each costs Redis several times what one more key in it does. */
const PER_SECOND = 250;

/**
 * A token bucket for read scripts: at once when little happens, in ever larger batches when much does.
 * What it trades: under load a hold of a few milliseconds may end before its holder was read.
 */
export function createReadPace(now: () => number) {
  let tokens = BURST;
  let filledAt = now();
  return {
    /** Takes a token. 0 = go on now; else milliseconds until the next token. */
    take: (): number => {
      const at = now();
      tokens = Math.min(BURST, tokens + (Math.max(0, at - filledAt) * PER_SECOND) / 1000);
      filledAt = at;
      if (tokens < 1) return Math.ceil(((1 - tokens) * 1000) / PER_SECOND);
      tokens -= 1;
      return 0;
    },
  };
}

export type ReadPace = ReturnType<typeof createReadPace>;
