import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { Redis } from 'ioredis';
import { ownInstanceOf } from '@/lib/formats/qoder-owner';
import type { WatchLine } from './change-lines';
import { readInstances, type Instance } from './instances';

const MAX_KNOWN = 10_000;

/** Completes lines by who their owner is, where the line's own look came too early to tell. */
export interface OwnerBook {
  /** The line itself where nothing is to be added. Never rejects: a line without names is better than none. */
  complete: (line: WatchLine) => Promise<WatchLine>;
}

/** Remembers what instances said of themselves, also when they have gone. */
export function createOwnerBook(options: {
  connection: (db: number) => Promise<Redis>;
  now: () => number;
}): OwnerBook {
  const known = new Map<string, Pick<Instance, 'host' | 'ip' | 'pid' | 'app'>>();

  const lookUp = async (db: number, instance: string): Promise<void> => {
    const looks = await readInstances(await options.connection(db), [instance], options.now);
    const look = looks.get(instance);
    if (look === undefined || typeof look === 'string') return;
    const { host, ip, pid, app } = look;
    known.set(instance, { host, ip, pid, app });
    dropOldest(known, MAX_KNOWN);
  };

  return {
    complete: async (line) => {
      const instance = line.owner ? ownInstanceOf(line.owner) : null;
      if (instance === null || line.ip || line.db === undefined) return line;
      try {
        if (!known.has(instance)) await lookUp(line.db, instance);
      } catch {
        // Redis is away just now, which the watch tells by a line of its own.
      }
      return { ...line, ...known.get(instance) };
    },
  };
}
