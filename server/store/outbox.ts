/** Collects the latest state of things by id until they are written; what failed to be written stays. */
export function createOutbox<T extends { id: string }>(
  save: (items: readonly T[]) => Promise<void>,
): { add: (items: readonly T[]) => void; flush: () => Promise<void> } {
  const waiting = new Map<string, T>();
  return {
    add: (items) => {
      for (const item of items) waiting.set(item.id, item);
    },
    flush: async () => {
      const batch = [...waiting.values()];
      if (batch.length === 0) return;
      await save(batch);
      // An item that changed while the batch was written waits for the next one.
      for (const item of batch) if (waiting.get(item.id) === item) waiting.delete(item.id);
    },
  };
}
