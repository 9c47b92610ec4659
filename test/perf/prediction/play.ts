import { createLockOrder, type Inversion } from '@/lib/analysis/lock-order';
import type { LockMode, OrderedLock } from '@/lib/analysis/lock-order-shape';
import type { Random } from '@/test/support/lock-fleet/random';
import type { Program, Thread } from './program';

const RUN_MS = 10_000;

interface Holder {
  thread: Thread;
  at: number;
  held: { lock: OrderedLock; mode: LockMode }[];
}

/**
 * How well the learner sees. Keyspace events do not tell a lock that was only tried from one that was waited for; who
 * waits is seen where there is a queue.
 */
export interface Sight {
  seesTries: boolean;
  seesWaits: boolean;
}

/** Runs the program again and again by chance and tells the learner what happened, and nothing that did not. */
export function watchRuns(
  program: Program,
  { runs, random, seesTries, seesWaits }: Sight & { runs: number; random: Random },
): Inversion[] {
  const learner = createLockOrder();
  let now = 0;

  const isFree = (holders: readonly Holder[], me: Holder, key: string, mode: LockMode): boolean =>
    holders.every(
      (other) =>
        other === me ||
        !other.held.some(
          (theirs) => theirs.lock.key === key && (theirs.mode === 'write' || mode === 'write'),
        ),
    );

  const release = (holder: Holder, key: string): void => {
    const held = holder.held.find(({ lock }) => lock.key === key);
    if (!held) return;
    holder.held = holder.held.filter((each) => each !== held);
    learner.release(holder.thread.name, held.lock);
  };

  const take = (holder: Holder, lock: OrderedLock, mode: LockMode, isTry: boolean): void => {
    holder.held.push({ lock, mode });
    learner.acquire({ owner: holder.thread.name, lock, mode, at: now, isTry: isTry && seesTries });
  };

  /** False where the thread has to wait. */
  const step = (holders: readonly Holder[], holder: Holder): boolean => {
    const operation = holder.thread.operations[holder.at];
    if (!operation) return false;
    const { kind, lock } = operation;
    if (kind === 'unlock') release(holder, lock.key);
    else if (isFree(holders, holder, lock.key, operation.mode)) {
      take(holder, lock, operation.mode, kind === 'try');
    } else if (kind === 'try') {
      holder.at = operation.otherwise;
      return true;
    } else {
      const { name: owner } = holder.thread;
      if (seesWaits) learner.attempt({ owner, lock, mode: operation.mode, at: now });
      return false;
    }
    holder.at += 1;
    return true;
  };

  const run = (threads: readonly Thread[]): void => {
    const holders = threads.map((thread): Holder => ({ thread, at: 0, held: [] }));
    let waiting = new Set<Holder>();
    for (;;) {
      const ready = holders.filter(
        (each) => !waiting.has(each) && each.at < each.thread.operations.length,
      );
      if (ready.length === 0) break;
      now += 1;
      const next = random.pick(ready);
      if (step(holders, next)) waiting = new Set();
      else waiting.add(next);
    }
    // Who stands still for ever loses what he holds when the lease ends.
    for (const holder of holders)
      for (const { lock } of [...holder.held]) release(holder, lock.key);
  };

  for (let i = 0; i < runs; i++) {
    now = i * RUN_MS;
    run(random.pick(program.worlds));
  }
  return learner.inversions(runs * RUN_MS);
}
