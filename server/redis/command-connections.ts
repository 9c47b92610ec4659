import type { Redis } from 'ioredis';
import { createCommandClient, unavailable, withinTimeout } from './connection-options';
import { endOf } from './event-connection';

/** One ordinary ioredis client per db, opened when first asked for. */
export interface CommandConnections {
  /** Rejects with TARGET_UNAVAILABLE while Redis cannot be reached. */
  of: (db: number) => Promise<Redis>;
  /** Drops the sockets, which open again by themselves: for when they may be as dead as another was. */
  drop: () => Promise<void>;
  close: () => Promise<void>;
}

/** ioredis reconnects by itself after the first success; a first failure is tried again by the next call. */
export function createCommandConnections(url: string): CommandConnections {
  const clients = new Map<number, Promise<Redis>>();
  let closed = false;

  const open = async (db: number): Promise<Redis> => {
    const client = createCommandClient(url, db);
    const failed = new Promise<never>((_, reject) => client.once('error', reject));
    // Later errors reach the callers of the commands that they fail.
    client.on('error', () => undefined);
    try {
      await withinTimeout(Promise.race([client.connect(), failed]));
      return client;
    } catch (error) {
      await endOf(client);
      throw unavailable(url, error);
    }
  };

  return {
    of: (db) => {
      if (closed) return Promise.reject(unavailable(url, new Error('the watch was stopped')));
      const known = clients.get(db);
      if (known) return known;
      const opening = open(db);
      clients.set(db, opening);
      opening.catch(() => clients.delete(db));
      return opening;
    },
    drop: async () => {
      const all = await Promise.allSettled(clients.values());
      for (const outcome of all) {
        if (outcome.status === 'fulfilled') outcome.value.stream?.destroy();
      }
    },
    close: async () => {
      closed = true;
      const all = await Promise.allSettled(clients.values());
      clients.clear();
      await Promise.all(
        all.map((outcome) => (outcome.status === 'fulfilled' ? endOf(outcome.value) : null)),
      );
    },
  };
}
