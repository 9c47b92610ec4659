/** As many are made ready and sent to the database while the event loop does nothing else. */
const AT_ONCE = 500;

interface OutboxBound<T> {
  /** Beyond so many that wait, those go that are over and of which nothing was ever saved, the oldest first. */
  most: number;
  isOver: (item: T) => boolean;
  /** Ids of those that are saved as not over when the first is added. */
  known: () => Iterable<string>;
  /** Is told what went: nothing goes in silence. */
  gone: (items: readonly T[]) => void;
}

export interface Outbox<T> {
  add: (items: readonly T[]) => void;
  flush: () => Promise<void>;
}

/** Collects the latest state of things by id until they are written, some at a time; what failed to be written stays. */
export function createOutbox<T extends { id: string }>(
  save: (items: readonly T[]) => Promise<void>,
  bound?: OutboxBound<T>,
): Outbox<T> {
  const waiting = new Map<string, T>();
  const room = bound && createRoom(waiting, bound);
  return {
    add: (items) => {
      for (const item of items) waiting.set(item.id, item);
      room?.makeRoom();
    },
    flush: async () => {
      const all = [...waiting.values()];
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const batch = all.slice(at, at + AT_ONCE);
        await save(batch);
        room?.saved(batch);
        // An item that changed while the batch was written waits for the next one.
        for (const item of batch) if (waiting.get(item.id) === item) waiting.delete(item.id);
      }
    },
  };
}

function createRoom<T extends { id: string }>(
  waiting: Map<string, T>,
  { most, isOver, known, gone }: OutboxBound<T>,
) {
  /** Of these it must still be told how they ended. */
  let savedOpen: Set<string> | null = null;
  return {
    saved: (items: readonly T[]): void => {
      for (const item of items) {
        if (isOver(item)) savedOpen?.delete(item.id);
        else savedOpen?.add(item.id);
      }
    },
    makeRoom: (): void => {
      // Of the first ones, what was read back may be over by now.
      savedOpen ??= new Set([...known(), ...waiting.keys()]);
      if (waiting.size <= most) return;
      // Some at a time, so that all are not looked through for each that comes.
      const leave = most - Math.floor(most / 10);
      const dropped: T[] = [];
      for (const [id, item] of waiting) {
        if (waiting.size <= leave) break;
        if (!isOver(item) || savedOpen.has(id)) continue;
        waiting.delete(id);
        dropped.push(item);
      }
      if (dropped.length > 0) gone(dropped);
    },
  };
}

export interface QueueBound<T> {
  /** Beyond so many that wait the oldest go. */
  most: number;
  /** Is told what went: nothing goes in silence. */
  gone: (items: readonly T[]) => void;
}

/** Collects lines in order until they are written. */
export function createQueue<T>(
  save: (items: readonly T[]) => Promise<void>,
  { most, gone }: QueueBound<T>,
): { add: (items: readonly T[]) => void; flush: () => Promise<void> } {
  let waiting: T[] = [];
  return {
    add: (items) => {
      if (items.length === 0) return;
      waiting = [...waiting, ...items];
      if (waiting.length > most) gone(waiting.splice(0, waiting.length - most));
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
