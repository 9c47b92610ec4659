/** Since when what is seen on each pass has been seen without a break. */
export interface SinceSeen {
  /** Epoch ms of the first pass that saw `id`; `now` on that pass. */
  at: (id: string, now: number) => number;
  /** Ends a pass: what it did not see is forgotten. */
  next: () => void;
}

export function createSinceSeen(): SinceSeen {
  let before = new Map<string, number>();
  let seen = new Map<string, number>();
  return {
    at: (id, now) => {
      const since = before.get(id) ?? now;
      seen.set(id, since);
      return since;
    },
    next: () => {
      before = seen;
      seen = new Map();
    },
  };
}
