/** As many are made ready and sent to the database while the event loop does nothing else. */
const AT_ONCE = 500;

/** Collects the latest state of things by id until they are written, some at a time; what failed to be written stays. */
export function createOutbox<T extends { id: string }>(
  save: (items: readonly T[]) => Promise<void>,
): { add: (items: readonly T[]) => void; flush: () => Promise<void> } {
  const waiting = new Map<string, T>();
  return {
    add: (items) => {
      for (const item of items) waiting.set(item.id, item);
    },
    flush: async () => {
      const all = [...waiting.values()];
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const batch = all.slice(at, at + AT_ONCE);
        await save(batch);
        // An item that changed while the batch was written waits for the next one.
        for (const item of batch) if (waiting.get(item.id) === item) waiting.delete(item.id);
      }
    },
  };
}

/** Collects lines in order until they are written; of more than `most` the oldest are given up. */
export function createQueue<T>(
  save: (items: readonly T[]) => Promise<void>,
  most: number,
): { add: (items: readonly T[]) => void; flush: () => Promise<void> } {
  let waiting: T[] = [];
  return {
    add: (items) => {
      if (items.length > 0) waiting = [...waiting, ...items].slice(-most);
    },
    flush: async () => {
      const batch = waiting;
      if (batch.length === 0) return;
      await save(batch);
      const written = new Set(batch);
      waiting = waiting.filter((item) => !written.has(item));
    },
  };
}
